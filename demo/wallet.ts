import { DurableObject } from "cloudflare:workers";
import type { PurchaseResult } from "./actions.ts";
import { START_COINS } from "./tuning.ts";

/**
 * A player's coins, outside of every room. Whoever charges it may crash before it hears the answer and ask again:
 * a key is charged once, and its first answer stands. A purchase that failed is refunded under its key, whether it was
 * charged before, is charged later or never: in the end it isn't.
 */
export class Wallet extends DurableObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS charges (
        key TEXT PRIMARY KEY,
        paid INTEGER NOT NULL, -- 0 when it was refused or refunded
        balance INTEGER NOT NULL
      ) WITHOUT ROWID`);
  }

  charge(key: string, amount: number): PurchaseResult {
    if (!Number.isInteger(amount) || amount < 1) throw new RangeError(`can't charge ${amount} coins`);
    const known = this.#find(key);
    if (known) return known;
    const before = this.balance();
    const ok = amount <= before;
    const answer = { ok, balance: ok ? before - amount : before };
    // One statement, so that no crash can come between charging and remembering.
    this.ctx.storage.sql.exec(
      "INSERT INTO charges (key, paid, balance) VALUES (?, ?, ?)",
      key,
      ok ? amount : 0,
      answer.balance,
    );
    return answer;
  }

  refund(key: string): { readonly balance: number } {
    const balance = this.balance() + this.#paid(key);
    // Also when there is nothing to refund: the charge may still be on its way, and must find its key taken.
    this.ctx.storage.sql.exec(
      `INSERT INTO charges (key, paid, balance) VALUES (?1, 0, ?2)
         ON CONFLICT (key) DO UPDATE SET paid = 0, balance = excluded.balance`,
      key,
      balance,
    );
    return { balance };
  }

  balance(): number {
    const { spent } = this.ctx.storage.sql
      .exec<{ spent: number }>("SELECT COALESCE(SUM(paid), 0) AS spent FROM charges")
      .one();
    return START_COINS - spent;
  }

  #find(key: string): PurchaseResult | undefined {
    const row = this.#row(key);
    return row && { ok: row.paid > 0, balance: row.balance };
  }

  #paid(key: string): number {
    return this.#row(key)?.paid ?? 0;
  }

  #row(key: string): { readonly paid: number; readonly balance: number } | undefined {
    return this.ctx.storage.sql
      .exec<{ paid: number; balance: number }>("SELECT paid, balance FROM charges WHERE key = ?", key)
      .toArray()[0];
  }
}
