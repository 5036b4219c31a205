/** One server-sent event. A comment line, kept because it keeps connections alive, has `comment` and empty data. */
export interface SseEvent {
  readonly event?: string
  readonly data: string
  readonly id?: string
  readonly comment?: string
}
