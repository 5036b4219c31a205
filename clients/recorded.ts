/** What the recorder is to do. */
export interface RecorderTask {
  readonly command: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** The file to which it adds a line for every exchange. */
  readonly record: string
}

/** A request of the client and its reply, as the client sent and saw them. */
export interface Exchanged {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly type: string
  readonly sent: string
  readonly received: string
}
