/** Handles are short: should two texts of a session ever get the same one, the second is refused, not mistaken for the first. */
export function takenHandle(handle: string): string {
  return `the handle ${handle} already stands for another text of the session`
}
