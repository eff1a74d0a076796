import { WireError } from "./errors.ts";
import * as LIMITS from "./limits.ts";

/**
 * The JSON text of a value, to be sent or stored. The same checks as on reading, so that nothing is written that
 * can't be read again.
 * @throws RangeError when it has none, or none within the limits
 */
export function toJsonText(value: unknown, maxBytes: number): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new RangeError("a value is no JSON", { cause });
  }
  if (text === undefined) throw new RangeError(`a ${typeof value} is no JSON`);
  const fault = jsonFault(text, maxBytes);
  if (fault !== undefined) throw new RangeError(fault);
  return text;
}

/** Reads a JSON text from outside. @throws WireError */
export function fromJsonText(text: string, maxBytes: number): unknown {
  const { value, fault } = parse(text, maxBytes);
  if (fault !== undefined) throw new WireError("bad-value", fault);
  return value;
}

/** What keeps a text from being read as JSON, if anything. */
export function jsonFault(text: string, maxBytes: number): string | undefined {
  return parse(text, maxBytes).fault;
}

function parse(text: string, maxBytes: number): { value?: unknown; fault?: string } {
  // Code units first: encoding a text of any size to find it too long would itself be the cost.
  if (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes) {
    return { fault: `a JSON text of more than ${maxBytes} bytes` };
  }
  if (!isShallow(text)) return { fault: "a JSON text that nests too deep" };
  try {
    // A key of that name would become the prototype of whatever the object is merged into.
    const value: unknown = JSON.parse(text, (key, part: unknown) => {
      if (key === "__proto__") throw new SyntaxError("a forbidden key");
      return part;
    });
    return { value };
  } catch {
    return { fault: "a text that is no JSON" };
  }
}

/** Counts brackets outside strings: what walks a value later recurses as deep as it nests. */
function isShallow(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") {
      if (++depth > LIMITS.jsonDepth) return false;
    } else if (char === "]" || char === "}") depth--;
  }
  return true;
}
