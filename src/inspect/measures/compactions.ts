/** What stands in a request for messages that are not shown one by one any more. */
export interface Brief {
  /** Ids of the messages that it stands for. */
  readonly messages: ReadonlySet<string>
  /** What it says. */
  readonly text: string
}

/** Follows how often the brief of a session was written anew, and how often that concerned each message. */
export interface Compactions {
  /** The brief of the next request; undefined where it has none. */
  look(brief: Brief | undefined): void
  /** Briefs that have stood for the message, one after the other. */
  goneThrough(messageId: string): number
  count(): number
}

export function compactions(): Compactions {
  const through = new Map<string, number>()
  let count = 0
  let before: Brief | undefined
  return {
    look(brief) {
      if (brief === undefined || brief.messages.size === 0) return
      if (brief.text === before?.text && brief.messages.size === before.messages.size) return
      before = brief
      count += 1
      for (const id of brief.messages) through.set(id, (through.get(id) ?? 0) + 1)
    },
    goneThrough: (messageId) => through.get(messageId) ?? 0,
    count: () => count,
  }
}
