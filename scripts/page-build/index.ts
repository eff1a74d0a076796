import ts from "typescript";
import type { Plugin } from "vite";
import { applied, type Edit, nodesIn } from "./edits.ts";
import { plainMembers } from "./members.ts";
import { FOLDERS, parse, propertyName, shortNames, sources } from "./names.ts";
import { codeOf, errorText, shortened } from "./texts.ts";

/**
 * Makes what pages load smaller than a minifier may, which has to leave properties and texts alone: the engine's own
 * properties get short names, the same in each file, and errors say a code in the place of their words
 * (`npm run error -- <code>` has them). For production builds: a page under development keeps both.
 */
export function pageBuild(): Plugin {
  let names: ReadonlyMap<string, string> = new Map();
  return {
    name: "tickroom-page-build",
    apply: "build",
    enforce: "pre",
    buildStart() {
      names = shortNames();
    },
    transform(code, id) {
      const [path = ""] = id.split("?");
      if (!/\.tsx?$/.test(path) || !FOLDERS.some((folder) => path.startsWith(folder))) return null;
      const plain = applied(code, plainMembers(parse(path, code)));
      const source = parse(path, plain);
      return { code: applied(plain, [...renamings(source, names), ...shortTexts(source)]), map: null };
    },
  };
}

/**
 * Gives the same short names in the tests and in all that they run, so that the tests of a page's parts run on them. Their
 * games are renamed too: one with a field called like an engine's property is refused, and needs another name for it.
 */
export function testOfPageBuild(): Plugin {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    name: "tickroom-test-of-page-build",
    enforce: "pre",
    transform(code, id) {
      const [path = ""] = id.split("?");
      if (!/\.tsx?$/.test(path) || path.includes("/node_modules/")) return null;
      names ??= shortNames();
      const plain = applied(code, plainMembers(parse(path, code)));
      return { code: applied(plain, renamings(parse(path, plain), names)), map: null };
    },
  };
}

export interface ErrorText {
  readonly code: string;
  /** With `…` for each value. */
  readonly text: string;
  /** The source that says it. */
  readonly path: string;
}

/** What the codes in a production page's errors stand for. */
export function errorTexts(): ErrorText[] {
  return sources().flatMap((path) =>
    [...nodesIn(parse(path))].flatMap((node) => {
      const text = errorText(node);
      return text === undefined ? [] : [{ code: codeOf(text), text, path }];
    }),
  );
}

function renamings(source: ts.SourceFile, names: ReadonlyMap<string, string>): Edit[] {
  const edits: Edit[] = [];
  for (const node of nodesIn(source)) {
    const name = propertyName(node);
    const short = name && names.get(name.text);
    if (name && short) edits.push(renamed(node, name, short));
  }
  return edits;
}

function shortTexts(source: ts.SourceFile): Edit[] {
  return [...nodesIn(source)].flatMap((node) => {
    const text = errorText(node);
    return text === undefined ? [] : shortened(node, text);
  });
}

function renamed(node: ts.Node, name: ts.Identifier | ts.StringLiteral, short: string): Edit {
  const isShorthand =
    ts.isShorthandPropertyAssignment(node) || (ts.isBindingElement(node) && !node.propertyName);
  const text = isShorthand ? `${short}: ${name.text}` : short;
  return { from: name.getStart(), to: name.end, text: ts.isStringLiteral(name) ? `"${text}"` : text };
}
