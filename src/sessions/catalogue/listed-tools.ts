import type { OverlayPart, ToolDefinition, ToolsPart, WireExchange } from '../../core/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { definitionTokens } from './definition-tokens.ts'
import type { Codec, RewriteCall } from '../../codecs/index.ts'
import {
  asExecuteCall,
  executeToolDefinition,
  executeToolName,
  metaToolNames,
  nothingLearnt,
  readExecuteCall,
  searchToolsDefinition,
  toolSchemaDefinition,
} from '../../tools/index.ts'
import type { LearntTools } from '../../tools/index.ts'

/** The part of an overlay that says which tools stand in a conversation's requests; undefined where all of them do. */
export function toolsPartOf(overlay: readonly OverlayPart[]): ToolsPart | undefined {
  return overlay.findLast((part) => part.kind === 'tools')
}

/** An overlay with another part that says so, or with none. */
export function withToolsPart(overlay: readonly OverlayPart[], part: ToolsPart | undefined): readonly OverlayPart[] {
  const others = overlay.filter(({ kind }) => kind !== 'tools')
  return part === undefined ? others : [...others, part]
}

/** The functions of a client that no namespace has. Only these can be left out and found again. */
export function functionsOf({ conversation: { tools } }: WireExchange): readonly ToolDefinition[] {
  return tools.filter(({ namespace }) => namespace === undefined)
}

/** Functions of a client that a model has to find. */
export interface Catalogue {
  readonly unlisted: readonly ToolDefinition[]
  /** What their definitions take, in tokens. */
  readonly tokens: number
  /** Whether the request defines them, too, for the provider to show those that were found: they are called by their own names then. */
  readonly isDeferred: boolean
  /** What searches go by beside the definitions. Nothing by default. */
  readonly learnt?: LearntTools
}

interface ToCatalogue {
  readonly part: ToolsPart | undefined
  readonly info: ModelInfo
  readonly learnt?: LearntTools
}

/** What of a request's tools the model has to find; undefined where that is nothing. */
export function catalogueOf(
  received: WireExchange,
  { part, info, learnt = nothingLearnt }: ToCatalogue,
): Catalogue | undefined {
  if (part === undefined || !canUnlist(received, part)) return undefined
  const listed = new Set(part.listed)
  const unlisted = functionsOf(received).filter(({ name }) => !listed.has(name))
  if (unlisted.length === 0) return undefined
  const tokens = definitionTokens(received, unlisted, info)
  return { unlisted, tokens, isDeferred: part.isDeferred === true, learnt }
}

/**
 * A client's request with the definitions of listed tools only, those by which the others are found behind them, and calls of the others as the
 * model made them; or with the others deferred. The request itself where it defines no tool, or forces one that is not listed. `last` is the
 * conversation's last request.
 */
export function withListedTools(
  codec: Codec,
  received: WireExchange,
  { part, last }: { readonly part: ToolsPart | undefined; readonly last: WireExchange | undefined },
): WireExchange {
  if (part === undefined || !canUnlist(received, part)) return received
  const listed = new Set(part.listed)
  const isListed = (name: string): boolean => listed.has(name)
  const search = searchToolsDefinition(part.about)
  const body = part.isDeferred
    ? codec.unlistTools(received, { isListed, added: [search], defers: true })
    : codec.unlistTools(received, {
        isListed,
        added: [search, toolSchemaDefinition, executeToolDefinition],
        rewrite: (call) => (isListed(call.name) || metaToolNames.has(call.name) ? undefined : asExecuteCall(call)),
      })
  const { path, headers } = received.wire
  return codec.decode({ path, headers, body }, last)
}

function canUnlist(received: WireExchange, { listed }: ToolsPart): boolean {
  const { toolChoice } = received.conversation.sampling
  const isForced = typeof toolChoice === 'object' && !listed.includes(toolChoice.name)
  return !isForced && functionsOf(received).length > 0
}

/** Calls of `execute_tool` as the client's tools get them. */
export const asClientCall: RewriteCall = (call) =>
  call.name === executeToolName ? readExecuteCall(call.arguments) : undefined
