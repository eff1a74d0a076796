/**
 * Turns a schema into the layouts that protocol/ reads and writes messages by, and their types.
 *
 *     capnp compile -ocapnp frames.capnp | node scripts/layouts.ts frames > generated/frames.ts
 *
 * The capnp tool has resolved every field's place by then; it stands in a comment behind it.
 */
import { readFileSync } from "node:fs";

interface Field {
  readonly name: string;
  readonly type: string;
  /** Bits of the data section, or the pointer's number. */
  readonly place: { readonly bits: readonly [number, number] } | { readonly pointer: number };
}

interface Group {
  readonly name: string;
  readonly fields: Field[];
}

interface StructType {
  readonly name: string;
  readonly words: number;
  readonly pointers: number;
  readonly fields: Field[];
  /** Byte offset of the union's tag. */
  tagAt?: number;
  readonly members: Group[];
}

const STRUCT = /^struct (\w+) @\w+ \{ {2}# (\d+) bytes, (\d+) ptrs/;
const UNION = /^union \{ {2}# tag bits \[(\d+),/;
const GROUP = /^(\w+) :group \{ {2}# union tag = \d+/;
const VOID = /^(\w+) @\d+ :Void; {2}# bits\[0, 0\), union tag = \d+/;
const FIELD = /^(\w+) @\d+ :([\w()]+); {2}# (?:bits\[(\d+), (\d+)\)|ptr\[(\d+)\])$/;
/** What needs no layout: an enum's numbers are read as they are. */
const SKIPPED = /^(#.*|@0x\w+;|enum \w+ @\w+ \{|\w+ @\d+;|\}|)$/;

function parse(text: string): StructType[] {
  const structs: StructType[] = [];
  const open: StructType[] = [];
  let group: Group | undefined;
  let depth = 0;
  const structDepths: number[] = [];
  for (const [number, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    const struct = open.at(-1);
    const started = STRUCT.exec(line);
    const union = UNION.exec(line);
    const grouped = GROUP.exec(line);
    const nothing = VOID.exec(line);
    const field = FIELD.exec(line);
    if (started) {
      const [, name = "", bytes, pointers] = started;
      const made = { name, words: Number(bytes) / 8, pointers: Number(pointers), fields: [], members: [] };
      open.push(made);
      structDepths.push(depth);
      structs.push(made);
    } else if (union && struct) {
      struct.tagAt = Number(union[1]) / 8;
    } else if (grouped && struct) {
      group = { name: grouped[1] ?? "", fields: [] };
      struct.members.push(group);
    } else if (nothing && struct) {
      struct.members.push({ name: nothing[1] ?? "", fields: [] });
    } else if (field && struct) {
      const [, name = "", type = "", from, to, pointer] = field;
      const place =
        pointer === undefined ? { bits: [Number(from), Number(to)] as const } : { pointer: Number(pointer) };
      (group ?? struct).fields.push({ name, type, place });
    } else if (!SKIPPED.test(line)) {
      throw new Error(`line ${number + 1} has something that layouts don't know: ${line}`);
    }
    if (line.includes("{")) depth++;
    if (line === "}") {
      depth--;
      group = undefined;
      if (structDepths.at(-1) === depth) {
        structDepths.pop();
        open.pop();
      }
    }
  }
  return structs;
}

function typeOf({ type, place }: Field): string {
  if (type === "Text") return "string";
  if (type === "Data") return "Uint8Array";
  if (type === "Bool") return "boolean";
  if (type === "UInt64") return "bigint";
  if ("pointer" in place) return `readonly ${elementOf(type)}[]`;
  return "number";
}

function elementOf(type: string): string {
  const [, element] = /^List\((\w+)\)$/.exec(type) ?? [];
  if (!element) throw new Error(`layouts know no fields of type ${type}`);
  return element;
}

/** Name, kind, and offset: bytes, bits of a Bool, or the pointer's number. */
function tripleOf({ name, type, place }: Field): string {
  if ("pointer" in place) {
    const kind = type === "Text" ? '"text"' : type === "Data" ? '"data"' : `${elementOf(type)}`;
    return `["${name}", ${kind}, ${place.pointer}]`;
  }
  const [from, to] = place.bits;
  if (type.startsWith("Int") || type.startsWith("Float")) throw new Error(`layouts know no ${type}`);
  return type === "Bool" ? `["${name}", 0, ${from}]` : `["${name}", ${(to - from) / 8}, ${from / 8}]`;
}

function interfaceOf(name: string, fields: readonly Field[], head = ""): string {
  const lines = fields.map((field) => `  readonly ${field.name}: ${typeOf(field)};`);
  return `export interface ${name} {\n${[...(head ? [head] : []), ...lines].join("\n")}\n}\n`;
}

function emit(struct: StructType): string {
  const { name, words, pointers, fields, tagAt, members } = struct;
  const head = `  words: ${words},\n  pointers: ${pointers},\n`;
  if (tagAt === undefined) {
    const body = fields.map((field) => `    ${tripleOf(field)},\n`).join("");
    return `${interfaceOf(name, fields)}export const ${name}: Layout<${name}> = {\n${head}  fields: [\n${body}  ],\n};\n`;
  }
  if (fields.length > 0) throw new Error(`${name} has fields beside its union`);
  const types = members.map((member) =>
    interfaceOf(`${name}_${member.name}`, member.fields, `  readonly type: "${member.name}";`),
  );
  const union = members.map((member) => `${name}_${member.name}`).join(" | ");
  const bodies = members.map((member) => {
    return `    ["${member.name}", [\n${member.fields.map((field) => `      ${tripleOf(field)},\n`).join("")}    ]],\n`;
  });
  return `${types.join("")}export type ${name} = ${union};\nexport const ${name}: UnionLayout<${name}> = {\n${head}  tagAt: ${tagAt},\n  members: [\n${bodies.join("")}  ],\n};\n`;
}

const [schema = ""] = process.argv.slice(2);
const structs = parse(readFileSync(0, "utf8"));
// Each struct after those that its lists are of.
const sorted: StructType[] = [];
function place(struct: StructType): void {
  if (sorted.includes(struct)) return;
  for (const { type } of [...struct.fields, ...struct.members.flatMap(({ fields }) => fields)]) {
    const element = structs.find(({ name }) => type === `List(${name})`);
    if (element) place(element);
  }
  sorted.push(struct);
}
for (const struct of structs) place(struct);
const kinds = ["Layout", "UnionLayout"].filter((kind) =>
  sorted.some(({ tagAt }) => (tagAt === undefined) === (kind === "Layout")),
);
process.stdout.write(
  `// Made from ${schema}.capnp by \`npm run gen\`.\nimport type { ${kinds.join(", ")} } from "../layout.ts";\n\n${sorted.map(emit).join("\n")}`,
);
