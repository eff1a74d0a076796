/** Stored bytes that this build must not continue from [D7]. */
export class StateError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "StateError";
  }
}
