/**
 * Stands in for `validate` in a page's production bundle (package.json, `imports`): the same definition was checked in
 * development, and by the room, which refuses a page with another one.
 */
export function validate(): void {
  // Nothing to do.
}
