import { type LedgerEntry, LIMITS } from "../../protocol/index.ts";

const KEPT_OUTCOMES = LIMITS.outcomesPerSeat;

/** The part of a ledger entry that is kept. */
export type Outcome = Pick<LedgerEntry, "digest" | "disposition">;

/** In the order of storage: of command consumed, consumed - 1, and so on. */
export interface StoredOutcomes {
  readonly digests: Uint32Array;
  readonly dispositions: Uint8Array;
}

/** The newest outcomes of an input session, so that a repeated command gets its first answer [I6]. */
export class OutcomeRing {
  readonly #digests = new Uint32Array(KEPT_OUTCOMES);
  readonly #dispositions = new Uint8Array(KEPT_OUTCOMES);

  static restore({ digests, dispositions }: StoredOutcomes, consumed: number): OutcomeRing {
    const ring = new OutcomeRing();
    const count = Math.min(digests.length, dispositions.length, consumed, KEPT_OUTCOMES);
    for (let i = 0; i < count; i++) {
      ring.set(consumed - i, digests[i] as number, dispositions[i] as number);
    }
    return ring;
  }

  set(seq: number, digest: number, disposition: number): void {
    this.#digests[seq % KEPT_OUTCOMES] = digest;
    this.#dispositions[seq % KEPT_OUTCOMES] = disposition;
  }

  /** The outcome of `seq` if it is among the newest up to `consumed`. */
  get(seq: number, consumed: number): Outcome | undefined {
    if (seq < 1 || seq > consumed || seq + KEPT_OUTCOMES <= consumed) return undefined;
    const disposition = this.#dispositions[seq % KEPT_OUTCOMES] as number;
    if (disposition === 0) return undefined;
    return { digest: this.#digests[seq % KEPT_OUTCOMES] as number, disposition };
  }

  /** What to store once `entries`, the newest up to `consumed`, are added; the ring stays as it is. */
  with(entries: readonly LedgerEntry[], consumed: number): StoredOutcomes {
    const count = Math.min(consumed, KEPT_OUTCOMES);
    const digests = new Uint32Array(count);
    const dispositions = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const at = (consumed - i) % KEPT_OUTCOMES;
      digests[i] = this.#digests[at] as number;
      dispositions[i] = this.#dispositions[at] as number;
    }
    for (const { seq, digest, disposition } of entries) {
      digests[consumed - seq] = digest;
      dispositions[consumed - seq] = disposition;
    }
    return { digests, dispositions };
  }
}
