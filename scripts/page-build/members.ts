import ts from "typescript";
import { type Edit, nodesIn } from "./edits.ts";

/** What a class says only for the reader: members that its constructor sets, and getters of private members. */
export function plainMembers(source: ts.SourceFile): Edit[] {
  return source.statements.filter(ts.isClassDeclaration).flatMap((node) => {
    const edits: Edit[] = [];
    const read = new Set<string>();
    for (const member of node.members) {
      const isUnset = ts.isPropertyDeclaration(member) && !member.initializer && ts.isIdentifier(member.name);
      const field = ts.isGetAccessor(member) ? readMember(member) : undefined;
      const isRead = field !== undefined && field === `#${member.name?.getText()}`;
      if (isRead) read.add(field);
      if (isUnset || isRead) edits.push({ from: member.getStart(), to: member.end, text: "" });
    }
    for (const inner of nodesIn(node)) {
      if (!ts.isPrivateIdentifier(inner) || !read.has(inner.text)) continue;
      if (edits.some(({ from, to }) => from <= inner.getStart() && inner.end <= to)) continue;
      edits.push({ from: inner.getStart(), to: inner.end, text: inner.text.slice(1) });
    }
    return edits;
  });
}

/** The member that a getter gives as it is. */
function readMember({ body }: ts.GetAccessorDeclaration): string | undefined {
  const [only] = body?.statements ?? [];
  const value = only && ts.isReturnStatement(only) ? only.expression : undefined;
  const isOwn =
    value && ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword;
  return isOwn ? value.name.text : undefined;
}
