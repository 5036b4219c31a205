import type { SseEvent } from '../../codecs/index.ts'

/** A reply before it is written down in a dialect. */
export interface PlainReply {
  readonly id: string
  readonly reasoning: string
  readonly texts: readonly string[]
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly stop: 'end' | 'calls' | 'length'
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** A reply in a dialect: as one body, and as the events of a stream. */
export interface WrittenReply {
  readonly body: string
  readonly events: readonly SseEvent[]
}
