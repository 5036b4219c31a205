import type { Codec } from '../../codecs/index.ts'
import type { Draw } from './draw.ts'
import type { PlainReply, WrittenReply } from './plain-reply.ts'

/** What a contract needs to know of a dialect beside its codec: bodies and replies as clients and providers write them. */
export interface CodecCases {
  /** Any body, odd spelling, unknown members and duplicate keys included. */
  body(draw: Draw): string
  /** A plain body of these raw messages, which come last in it. */
  bodyOf(messages: readonly string[]): string
  /** The raw message in which the user says these words. */
  userMessage(words: string): string
  /** Where the messages of a body stand. */
  messagesOf(body: string): readonly { readonly start: number; readonly end: number }[]
  /** A reply as the provider's JSON body, and as its stream, its words cut by `cut`. */
  reply(reply: PlainReply, cut: (words: string) => readonly string[]): WrittenReply
  /** Whether a whole reply that was told in several is known by the id of the last of them, and not of the first. */
  readonly namedByLast?: boolean
}

/** Holds for everything that can be drawn, or throws. */
export type CodecProperty = (draw: Draw, codec: Codec, cases: CodecCases) => void
