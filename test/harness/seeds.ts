/**
 * A stream of numbers in [0, 1) of its own for each purpose. With one stream for all, a client more or a message
 * more would change everybody's luck, and no failing run could be made smaller.
 */
export function randomFor(seed: number, purpose: string): () => number {
  let state = seedFor(seed, purpose);
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 4294967296;
  };
}

/** A seed for one purpose, made from the seed of the whole. */
export function seedFor(seed: number, purpose: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let i = 0; i < purpose.length; i++) hash = Math.imul(hash ^ purpose.charCodeAt(i), 0x01000193) >>> 0;
  return mix(hash);
}

/** 32 bytes that stand for a seat's secret. */
export function secretFor(seed: number, client: number): Uint8Array {
  const random = randomFor(seed, `secret ${client}`);
  return Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
}

/**
 * 32 bytes in the place of a secret's SHA-256. Nobody attacks a room in a harness, and it runs in browsers too, where
 * no digest comes at once.
 */
export function digestOf(secret: Uint8Array): Uint8Array {
  const words = Uint32Array.from({ length: 8 }, (_, i) => seedFor(i, String.fromCharCode(...secret)));
  return new Uint8Array(words.buffer);
}

/** Spreads every bit of a word over all of them (the finaliser of MurmurHash3). */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
