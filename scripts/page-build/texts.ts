import ts from "typescript";
import type { Edit } from "./edits.ts";

/** What makes an error out of a text: `new TypeError(…)`, `super(…)`, and what else says what is wrong. */
const MAKES_ERROR = /(Error|^super|^malformed|^unreadable|^unwritable|onConflict)$/;
/** What a page may show to players. */
const FOR_PLAYERS = /^JoinError$/;
/** Functions that give what is wrong as a text. */
const GIVES_FAULT = /Fault$/;

/** The error's text that a node is, if it is one: a literal of several words, where an error is made. */
export function errorText(node: ts.Node): string | undefined {
  const text = literalText(node);
  return text && /[a-z] /i.test(text) && (isMadeAnError(node) || isFault(node)) ? text : undefined;
}

/** With `…` for each value. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce((sum, { literal }) => `${sum}…${literal.text}`, node.head.text);
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [literalText(node.left), literalText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function isMadeAnError(node: ts.Node): boolean {
  const call = node.parent;
  if (!ts.isNewExpression(call) && !ts.isCallExpression(call)) return false;
  const made = call.expression.getText();
  return (
    MAKES_ERROR.test(made) &&
    !FOR_PLAYERS.test(made) &&
    call.arguments?.some((argument) => argument === node) === true
  );
}

function isFault(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === "fault";
  if (!ts.isReturnStatement(parent)) return false;
  const giver = ts.findAncestor(node, ts.isFunctionDeclaration);
  return giver?.name !== undefined && GIVES_FAULT.test(giver.name.text);
}

/** The code that stands for a text: the same in each build in which the text is the same. */
export function codeOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `#${((hash >>> 0) % 36 ** 3).toString(36).padStart(3, "0")}`;
}

/** Leaves the values in a text, and replaces its words by their code. */
export function shortened(node: ts.Node, text: string): readonly Edit[] {
  const code = codeOf(text);
  if (!ts.isTemplateExpression(node)) return [{ from: node.getStart(), to: node.end, text: `"${code}"` }];
  const { head, templateSpans } = node;
  const last = templateSpans.length - 1;
  return [
    { from: head.getStart(), to: head.end, text: `\`${code} \${` },
    ...templateSpans.map(({ literal }, index) => ({
      from: literal.getStart(),
      to: literal.end,
      text: index === last ? "}`" : "} ${",
    })),
  ];
}
