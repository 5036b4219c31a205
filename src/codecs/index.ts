import type { Dialect } from '../core/index.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import type { Codec } from './codec.ts'
import { openaiChat } from './openai-chat/index.ts'

export type { TextKind, TextPlace, TextPlaces } from './text-places.ts'
export { withTexts } from './text-places.ts'
export type { Answer, WrittenAnswer } from './answer.ts'
export type {
  Codec,
  FinishedTurn,
  HiddenReply,
  SpliceState,
  SpliceStep,
  StreamEnd,
  StreamReducer,
  StreamSplicer,
  StreamState,
} from './codec.ts'
export { scanJson } from './scan-json.ts'
export { type ImageSize, imageSize } from './image-size.ts'
export { stringPlaces } from './string-places.ts'
export type { SseEvent, SseParser } from './sse.ts'
export { encodeSse, sseParser } from './sse.ts'

const byDialect: { readonly [Name in Dialect]: Codec } = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
}

/** Every dialect that is spoken; a new one is a folder and its line in the table. */
export const codecs: readonly Codec[] = Object.values(byDialect)

export function codecFor(dialect: Dialect): Codec {
  return byDialect[dialect]
}
