/** A game definition that can't work. The message names the place and the mistake. */
export class DefinitionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DefinitionError";
  }
}
