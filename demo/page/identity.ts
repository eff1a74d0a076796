const KEY = "tickroom.arena.name";

const FIRST = ["Quiet", "Amber", "Swift", "Paper", "Silver", "Brave", "Misty", "Velvet", "Lucky", "Night"];
const SECOND = ["Heron", "Otter", "Moth", "Fox", "Lynx", "Wren", "Hare", "Owl", "Newt", "Marten"];

function oneOf(words: readonly string[]): string {
  return words[Math.floor(Math.random() * words.length)] as string;
}

/** A name for somebody who has given none. */
export function suggestName(): string {
  return `${oneOf(FIRST)} ${oneOf(SECOND)}`;
}

/** The name that was given on this device before. */
export function rememberedName(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    // Storage can be forbidden; then the page just asks again.
    return undefined;
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // See above.
  }
}
