import type {
  CachePrices,
  CompactionOrder,
  CompileInput,
  CompileResult,
  Item,
  Ledger,
  Manifest,
  MediaMaking,
  PackEntry,
  Policy,
  SessionLengths,
  Situation,
} from '../core/index.ts'
import { isPrehendError } from '../core/index.ts'
import { rehydrateTool, turnInput, turnOverhead } from '../sessions/index.ts'
import { carriedLedgers } from './carried-ledgers.ts'
import { shapeOf } from './counting.ts'
import type { Brief } from './measures/compactions.ts'
import type { Moment } from './measures/moments.ts'
import type { RenderedMessage, Renderer } from './render.ts'
import type { Strategy } from './strategy.ts'
import { beganBy, briefOf } from './told-by-manifest.ts'
import type { TraceMessage, TraceRequest } from './trace.ts'

export interface PrehendOptions {
  /** As in reports, e.g. `prehend:careful`. */
  readonly name: string
  readonly policy: Policy
  /** What all requests are part of. */
  readonly situation?: Situation
  /** Told of every request that was packed. */
  packed?(manifest: Manifest): void
  readonly prices: CachePrices
  /** A compiler that remembers nothing of other sessions, so that what the replay measures is what a session pays. */
  openCompiler(): { compile(input: CompileInput): CompileResult }
  readonly windowTokens: number
  /** How long earlier sessions were, where a host would know it. */
  readonly sessionLengths?: SessionLengths
  /** When old steps are compacted, in place of the policy's own rule. */
  readonly compaction?: CompactionOrder
  /** What can be made of media; nothing by default. */
  readonly making?: MediaMaking
  /** Which sessions pay for it: all, or those that record the definitions of the agent's own tools. */
  readonly chargeTool: ToolCharge
}

/** `recorded`: our definition counts where the agent's own are counted, too, so that like is compared with like. */
export type ToolCharge = 'recorded' | 'always' | 'never'

/**
 * The real compiler, as the gateway's sessions drive it: a ledger carried from request to request, and one of its own for each
 * way that the session goes.
 */
export function prehend(options: PrehendOptions): Strategy {
  return {
    name: options.name,
    start(renderer) {
      const shown = shownMessages(renderer)
      const toolOf = toolMessage()
      const compiler = options.openCompiler()
      const carried = carriedLedgers()
      let handles: ReadonlyMap<string, string> = new Map()
      let unpacked: string | undefined
      let brief: Brief | undefined
      let began: Moment | undefined
      return {
        next(request) {
          const items = request.messages.flatMap((message) => message.items)
          const ledger = carried.before(items)
          const mayOffer = paysForTool(request, options.chargeTool)
          const isOffered = mayOffer && carried.offered()
          const conversation = shapeOf(request.messages)
          const beside = turnOverhead(
            {
              conversation,
              client: conversation,
              offered: isOffered ? [rehydrateTool] : [],
              ifNeeded: mayOffer && !isOffered ? [rehydrateTool] : [],
            },
            renderer.overhead,
          )
          const tool = toolOf(beside.offerTokens ?? beside.ownTokens)
          const offered = isOffered ? [tool] : []
          const asRecorded = () => [...offered, ...request.messages.map((message) => renderer.asRecorded(message))]
          const result = compiled(compiler, inputOf(request, options, { items, ledger, ...beside }))
          brief = undefined
          began = undefined
          if (result === undefined) {
            unpacked = 'compile-assertion'
            return asRecorded()
          }
          options.packed?.(result.manifest)
          const front = mayOffer && result.manifest.offers === true ? [tool] : offered
          carried.after(items, result.ledger, front.length > 0)
          const isSent = result.pack !== undefined && result.outcome.kind !== 'paginated'
          unpacked = isSent ? undefined : result.outcome.kind
          if (!isSent) return asRecorded()
          const entries = new Map(result.pack.entries.map((entry) => [entry.itemId, entry]))
          handles = handlesOf(request, entries)
          brief = briefOf(request, result.manifest, entries)
          began = beganBy(result.manifest)
          return [...front, ...request.messages.flatMap((message) => shown(message, entries))]
        },
        handleOf: (messageId) => handles.get(messageId),
        unpacked: () => unpacked,
        brief: () => brief,
        began: () => began,
      }
    },
  }
}

/** Undefined where the pack would lack what the policy insists on; a gateway sends the request as it came. */
function compiled(
  compiler: ReturnType<PrehendOptions['openCompiler']>,
  input: CompileInput,
): CompileResult | undefined {
  try {
    return compiler.compile(input)
  } catch (error) {
    if (isPrehendError(error) && error.code === 'compile-assertion') return undefined
    throw error
  }
}

interface Carried extends ReturnType<typeof turnOverhead> {
  readonly items: readonly Item[]
  readonly ledger: Ledger | undefined
}

function inputOf(request: TraceRequest, options: PrehendOptions, carried: Carried): CompileInput {
  return turnInput({
    making: options.making,
    ...carried,
    windowTokens: options.windowTokens,
    policy: options.policy,
    situation: options.situation,
    known: [rehydrateTool],
    tools: [rehydrateTool],
    nowMs: request.atMs,
    sessionLengths: options.sessionLengths,
    compaction: options.compaction,
    prices: options.prices,
    handleKey: 'replay',
  })
}

function paysForTool({ messages }: TraceRequest, charge: ToolCharge): boolean {
  return charge === 'always' || (charge === 'recorded' && messages.some((message) => message.id === 'tools'))
}

/** Our tool as a message in front of all others; the same object as long as it costs the same. */
function toolMessage(): (tokens: number) => RenderedMessage {
  const text = JSON.stringify(rehydrateTool.definition)
  let last: RenderedMessage | undefined
  return (tokens) => {
    if (last?.tokens !== tokens) last = { role: 'system', text, tokens, sourceId: '', observation: false, parts: [] }
    return last
  }
}

type Entries = ReadonlyMap<string, PackEntry>

/** The message as packed; the same object as long as it looks the same. */
function shownMessages(renderer: Renderer) {
  const last = new Map<string, RenderedMessage>()
  return (message: TraceMessage, entries: Entries): readonly RenderedMessage[] => {
    const present = message.items.filter((item) => entries.has(item.id))
    if (present.length < message.items.length && present.length === 0) return []
    if (present.length === message.items.length && present.every((item) => entries.get(item.id)?.text === item.text)) {
      return [renderer.asRecorded(message)]
    }
    // Counted by the renderer and not taken from the pack, so that the compiler does not measure itself.
    const show = (item: Item): string | undefined => shownText(item, entries.get(item.id))
    const isBrief = present.some((item) => entries.get(item.id)?.rung === 'summary')
    const withShown = renderer.withShown({ ...message, items: present }, show)
    // A summary may quote what tools brought.
    const rendered = isBrief ? { ...withShown, observation: true } : withShown
    const before = last.get(message.id)
    if (before?.text === rendered.text) return [before]
    last.set(message.id, rendered)
    return [rendered]
  }
}

function shownText({ text }: Item, entry: PackEntry | undefined): string | undefined {
  return entry !== undefined && entry.text !== text ? entry.text : undefined
}

function handlesOf(request: TraceRequest, entries: Entries): ReadonlyMap<string, string> {
  const handles = new Map<string, string>()
  for (const message of request.messages) {
    for (const item of message.items) {
      const handle = entries.get(item.id)?.handle
      if (handle !== undefined) handles.set(message.id, handle)
    }
  }
  return handles
}
