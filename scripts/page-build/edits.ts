import ts from "typescript";

/** A piece of source to replace. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function applied(code: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { from, to, text } of [...edits].sort((a, b) => a.from - b.from)) {
    result += code.slice(at, from) + text;
    at = to;
  }
  return result + code.slice(at);
}

export function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesIn(child);
}
