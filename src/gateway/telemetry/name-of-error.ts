/** What a log may say of an error: its name only, since a message may quote what a client sent. */
export function nameOfError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
