import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What pages load, and so what is renamed. */
export const FOLDERS = ["sim", "protocol", "client-sdk"].map((name) => join(ROOT, name, "/"));

/** Entries of pages; what they export is used by name. */
const ENTRIES = ["client-sdk/index.ts", "client-sdk/debug/index.ts"];
/** Files of `tickroom/sim` that games use by name; what its entry exports besides is for the room and the SDK. */
const FOR_GAMES = [
  ...["actions", "controls", "define-game", "definition", "definition-error", "events", "fault", "fields"],
  ...["ids", "math", "rewind", "world"],
].map((name) => `sim/${name}.ts`);

/** What is stored in browsers under these names, by builds that renamed other things, and what is hashed with its names. */
const STORED = /^(Saved|Receipt$|Compiled(Action|Control)$)/;

/**
 * Short names for the properties that only the engine's own files use. They begin with an underscore: a game's fields
 * never do, so that no name of a game can hide one.
 */
export function shortNames(): ReadonlyMap<string, string> {
  const kept = platformNames();
  const uses = new Map<string, number>();
  const named = publicFiles();
  for (const path of sources()) {
    const source = parse(path);
    // What comes and goes as JSON is named by somebody else.
    const speaksJson = /\.json\(\)|JSON\.parse/.test(source.text);
    const visit = (node: ts.Node, keeps: boolean): void => {
      const keepsHere = keeps || isStored(node);
      const name = propertyName(node);
      if (name) uses.set(name.text, (uses.get(name.text) ?? 0) + 1);
      if (name && (speaksJson || isKept(node, keepsHere))) kept.add(name.text);
      // What is looked up by a text, and a folder's members that are read off it: `import * as LIMITS`.
      if (!name && ts.isStringLiteralLike(node)) kept.add(node.text);
      if (isExported(node)) kept.add(node.name?.text ?? "");
      if (ts.isObjectLiteralExpression(node) && isTable(node)) {
        for (const { name: key } of node.properties) kept.add(key?.getText() ?? "");
      }
      ts.forEachChild(node, (child) => visit(child, keepsHere));
    };
    visit(source, named.has(path));
  }
  const renamed = [...uses].filter(([name]) => name.length > 2 && !kept.has(name));
  renamed.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return new Map(renamed.map(([name], index) => [name, `_${index.toString(36)}`]));
}

function publicFiles(): ReadonlySet<string> {
  const files = FOR_GAMES.map((name) => join(ROOT, name));
  for (const entry of ENTRIES) {
    for (const statement of parse(join(ROOT, entry)).statements) {
      const from =
        (ts.isExportDeclaration(statement) || ts.isImportDeclaration(statement)) && statement.moduleSpecifier;
      if (from && ts.isStringLiteral(from)) files.push(join(ROOT, dirname(entry), from.text));
    }
  }
  return new Set(files);
}

function isStored(node: ts.Node): boolean {
  return (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && STORED.test(node.name.text);
}

/** A member of something public, but not what public code takes out of the engine. */
function isKept(node: ts.Node, isPublic: boolean): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.expression.getText() === "globalThis";
  return isPublic && !ts.isBindingElement(node) && !ts.isShorthandPropertyAssignment(node);
}

/** The word by which a node names a property, if it does. */
export function propertyName(node: ts.Node): ts.Identifier | ts.StringLiteral | undefined {
  if (ts.isStringLiteral(node)) return isFieldOfLayout(node) ? node : undefined;
  if (ts.isBindingElement(node)) {
    if (!ts.isObjectBindingPattern(node.parent) || node.dotDotDotToken) return undefined;
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) ? name : undefined;
  }
  const isNamed =
    ts.isPropertyAccessExpression(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isAccessor(node);
  if (!isNamed) return undefined;
  return ts.isIdentifier(node.name) ? node.name : undefined;
}

/** A message's table names its fields in its lines: `["tick", 4, 8]`. */
function isFieldOfLayout(node: ts.StringLiteral): boolean {
  const line = node.parent;
  return (
    ts.isArrayLiteralExpression(line) &&
    line.elements.length === 3 &&
    line.elements[0] === node &&
    node.getSourceFile().fileName.includes("/generated/")
  );
}

/** Some of its keys are texts, so that the others are looked up by texts too. */
function isTable(node: ts.ObjectLiteralExpression): boolean {
  return node.properties.some(({ name }) => name && ts.isStringLiteral(name));
}

function isExported(
  node: ts.Node,
): node is ts.FunctionDeclaration | ts.ClassDeclaration | (ts.VariableDeclaration & { name: ts.Identifier }) {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const isNamed =
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableDeclaration(node);
  return (
    isNamed &&
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

export function parse(path: string, text = readFileSync(path, "utf8")): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

export function sources(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Every word in the declarations of the language, the browser and the libraries that pages load. */
function platformNames(): Set<string> {
  const lib = dirname(fileURLToPath(import.meta.resolve("typescript")));
  const declarations = [
    ...readdirSync(lib)
      .filter((name) => /^lib\.(es|dom|decorators)[\w.]*\.d\.ts$/.test(name))
      .map((name) => join(lib, name)),
    join(ROOT, "node_modules/uplot/dist/uPlot.d.ts"),
    join(ROOT, "node_modules/idb-keyval/dist/index.d.ts"),
  ];
  const code = (path: string) => readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  return new Set(declarations.flatMap((path) => code(path).match(/[A-Za-z_$][\w$]*/g) ?? []));
}
