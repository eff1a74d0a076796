import ts from "typescript";
import type { Edit } from "./edits.ts";

/** What makes an error out of a text: `new TypeError(…)`, and the helpers that decoders have for it. */
const MAKES_ERROR = /(Error|^malformed|^unreadable|^unwritable)$/;

/** The error's text that a node is, if it is one: a literal with a space in it, among what an error is made of. */
export function errorText(node: ts.Node): string | undefined {
  const isTemplate = ts.isTemplateExpression(node);
  if (!isTemplate && !ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return undefined;
  const text = isTemplate
    ? node.templateSpans.reduce((sum, { literal }) => `${sum}…${literal.text}`, node.head.text)
    : node.text;
  const call = node.parent;
  const isMade =
    (ts.isNewExpression(call) || ts.isCallExpression(call)) &&
    MAKES_ERROR.test(call.expression.getText()) &&
    call.arguments?.some((argument) => argument === node);
  return isMade && text.includes(" ") ? text : undefined;
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
