/**
 * Why a page isn't in the room:
 * - `unreachable`: no answer.
 * - `refused`: the Worker said no; `status` is its HTTP status.
 * - `closed`: the room did; `code` is its close code.
 */
export type JoinFailure = "unreachable" | "refused" | "closed";

export class JoinError extends Error {
  override readonly name = "JoinError";
  readonly failure: JoinFailure;
  readonly status: number | undefined;
  readonly code: number | undefined;

  constructor(
    message: string,
    details: { failure: JoinFailure; status?: number; code?: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.failure = details.failure;
    this.status = details.status;
    this.code = details.code;
  }
}
