import { dialects } from './dialects.ts'

export type { TextKind, TextPlace, TextPlaces } from './text-places.ts'
export { withTexts } from './text-places.ts'
export type { Answer, WrittenAnswer } from './answer.ts'
export type {
  Codec,
  DialectRoute,
  DialectSigns,
  FinishedTurn,
  HiddenToolNames,
  HiddenReply,
  RouteKind,
  SpliceState,
  SpliceStep,
  StreamEnd,
  StreamReducer,
  StreamSplicer,
  StreamState,
} from './codec.ts'
export { dialectTable, dialects } from './dialects.ts'
export type { CodecRoute, DialectTable, DialectTraces } from './dialects.ts'
export { type ImageSize, imageSize } from './image-size.ts'
export { stringPlaces } from './string-places.ts'
export type { SseEvent, SseParser } from './sse.ts'
export type { WriteView, WrittenRequest } from './write-request.ts'
export { encodeSse, sseParser } from './sse.ts'

/** Every dialect that comes with the product. */
export const { codecs, for: codecFor, detect: detectDialect } = dialects
