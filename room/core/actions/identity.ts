/** Which action of which command: what its receipts, its effects and its call go by. */
export interface ActionId {
  readonly session: number;
  readonly seq: number;
  readonly slot: number;
}

/** The identity as one text, unique in its room. */
export function actionKey({ session, seq, slot }: ActionId): string {
  return `${session}/${seq}/${slot}`;
}
