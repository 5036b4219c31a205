import type { OverlayPart, ToolDefinition, ToolsPart, WireExchange } from '../../core/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { definitionTokens } from './definition-tokens.ts'
import type { HostedTool } from './hosted-tools.ts'
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

/** Tools that a model has to find. */
export interface Catalogue {
  /** Functions of the client that the request does not define. */
  readonly unlisted: readonly ToolDefinition[]
  /** Tools of the host beside them. None by default. */
  readonly hosted?: readonly HostedTool[]
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
  /** Tools of the host that the model may find. None by default. */
  readonly hosted?: readonly HostedTool[]
}

/** What the model has to find; undefined where that is nothing. */
export function catalogueOf(
  received: WireExchange,
  { part, info, learnt = nothingLearnt, hosted = [] }: ToCatalogue,
): Catalogue | undefined {
  if (part === undefined || !canUnlist(received, part)) return undefined
  if (part.isWhole) return { unlisted: [], tokens: 0, isDeferred: false, learnt, hosted }
  const listed = new Set(part.listed)
  const unlisted = functionsOf(received).filter(({ name }) => !listed.has(name))
  if (unlisted.length === 0 && hosted.length === 0) return undefined
  const tokens = definitionTokens(received, unlisted, info)
  // Whatever is kept aside is called by its own name, which only the client answers.
  const isDeferred = part.isDeferred === true
  return { unlisted, tokens, isDeferred, learnt, ...(!isDeferred && hosted.length > 0 && { hosted }) }
}

/**
 * A client's request with the definitions of listed tools only, those by which the others are found behind them, and calls of the others as the
 * model made them; or with the others deferred, or with all of them. The request itself where it defines no tool, or forces one that is not listed. `last` is the
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
  const added = [search, toolSchemaDefinition, executeToolDefinition]
  const rewrite: RewriteCall = (call) =>
    isListed(call.name) || metaToolNames.has(call.name) ? undefined : asExecuteCall(call)
  const unlisting = part.isDeferred
    ? ({ isListed, added: [search], defers: true } as const)
    : part.isWhole
      ? ({ isListed, added, isWhole: true } as const)
      : { isListed, added, rewrite }
  const body = codec.unlistTools(received, unlisting)
  const { path, headers } = received.wire
  return codec.decode({ path, headers, body }, last)
}

function canUnlist(received: WireExchange, { listed, isWhole }: ToolsPart): boolean {
  const { toolChoice } = received.conversation.sampling
  if (isWhole) {
    const { acceptsTool, keepsTool, acceptsFirstTool } = received.wire
    const isFree = functionsOf(received).every(({ name }) => !metaToolNames.has(name))
    return isFree && (acceptsTool || keepsTool || acceptsFirstTool === true)
  }
  const isForced = typeof toolChoice === 'object' && !listed.includes(toolChoice.name)
  return !isForced && functionsOf(received).length > 0
}

/** Calls of `execute_tool` as the client's tools get them. */
export const asClientCall: RewriteCall = (call) =>
  call.name === executeToolName ? readExecuteCall(call.arguments) : undefined
