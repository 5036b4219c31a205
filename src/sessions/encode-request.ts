import type { WireExchange, Pack } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import { planBreakpoints } from '../providers/breakpoints/index.ts'
import type { PlannedBreakpoint } from '../providers/breakpoints/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

export interface RequestToEncode {
  readonly codec: Codec
  readonly exchange: WireExchange
  readonly info: ModelInfo
  /** Our own tools that it offers. */
  readonly tools: readonly HiddenTool[]
  readonly pack: Pack
  /** Where the session's last request was marked for the provider's cache. */
  readonly marked?: readonly PlannedBreakpoint[] | undefined
  /** Whether it is marked for the provider's cache; it is by default. */
  readonly marks?: boolean
  /** What was made of media that the pack shows so. */
  readonly made?: ReadonlyMap<string, string> | undefined
  /** How long what sessions share is to stay cached. */
  readonly sharedTtlMs?: number | undefined
}

export interface EncodedRequest {
  /** The pack with its breakpoints. */
  readonly pack: Pack
  readonly body: string
  readonly marked: readonly PlannedBreakpoint[]
}

/** The body that shows a pack: marked for the provider's cache, with the tools of ours that it offers. */
export function encodeRequest(request: RequestToEncode): EncodedRequest {
  const { codec, exchange, info, tools, sharedTtlMs, marked: previous, marks = true, made } = request
  const places = { exchange, pack: request.pack, info, sharedTtlMs, ...(previous && { previous }) }
  const marked = marks ? planBreakpoints(places) : []
  const pack = { ...request.pack, breakpoints: marked }
  const hiddenTools = tools.map(({ definition }) => definition)
  const body = codec.encode(exchange, { pack, ...(hiddenTools.length > 0 && { hiddenTools }), ...(made && { made }) })
  return { pack, body, marked }
}
