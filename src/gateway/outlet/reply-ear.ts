import type { Codec, SseEvent } from '../../codecs/index.ts'
import type { ModelReply } from '../../core/index.ts'

/** Reads on the side what a client gets, in neutral words. */
export interface ReplyEar {
  events(events: readonly SseEvent[]): void
  body(text: string): void
  /** The reply, where it is whole; undefined for one that broke off, that ended in an error, or that nobody can read. */
  reply(): ModelReply | undefined
}

export function replyEar(codec: Codec): ReplyEar {
  const reducer = codec.reducer()
  let state = reducer.initial
  let isBroken = false
  let reply = (): ModelReply | undefined => undefined
  return {
    events(events) {
      try {
        for (const event of events) state = reducer.step(state, event)
        reply = () => (isBroken ? undefined : reducer.reply(state))
      } catch {
        isBroken = true
      }
    },
    body(text) {
      reply = () => codec.decodeReply(text)
    },
    reply() {
      try {
        const said = reply()
        return said?.failure ? undefined : said
      } catch {
        return undefined
      }
    },
  }
}
