import { entriesOf } from '../../compiler/index.ts'
import { promptPartOf } from '../../core/index.ts'
import type { CacheMarker, CompileInput, WireExchange, Item, Ledger, LedgerEntry, Manifest } from '../../core/index.ts'
import type { PrefixChange } from '../../stores/index.ts'
import { executeToolName } from '../../tools/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { nextViews } from './cache-views.ts'
import type { CacheViews, ViewedRequest } from './cache-views.ts'

/** A request in our own tokens, as it is sent and as pass-through would send it, framing and tool definitions included. */
export interface PlannedTokens {
  readonly sent: Planned
  readonly passThrough: Planned
  /** Whether something that stood in the request before is written otherwise in this one, by us and not by the client. */
  readonly isRewritten: boolean
  /** Whether what the request before has sent may still be cached. */
  readonly isWarm: boolean
  /** What the request before has sent, framing left out; 0 where there was none. */
  readonly before: number
  /** What the items of the request before take in this one. */
  readonly stood: number
  /** Where this request stops being what the one before was; absent where that one stands at its front, whole. */
  readonly changed?: PrefixChange
  /** What the provider's cache would have of it, however it is sent. */
  readonly viewed?: ViewedRequest
}

interface Planned {
  readonly tokens: number
  /** The part at the front that stood in the request before, to the byte. */
  readonly again: number
  /** The part of that up to the last place at which the two are not alike. */
  readonly unlike: number
}

export interface RequestToPlan {
  /** The client's request, and with what is ours put into it. */
  readonly received: WireExchange
  readonly exchange: WireExchange
  readonly input: CompileInput
  readonly manifest: Manifest
  /** Before the request, and after it. */
  readonly before: Ledger | undefined
  readonly after: Ledger | undefined
  /** Names of tools that are ours, and not the client's. */
  readonly hiddenTools: readonly string[]
  /** Of the client's tools that the request does not define. */
  readonly unlistedTokens: number
  /** Whether tools are left to be found. */
  readonly findsTools: boolean
  /** Whether the request offers other tools of ours than the one before. */
  readonly offersOthers: boolean
  readonly info: ModelInfo
  /** Where we mark it for the provider's cache, beside the client's own marks. */
  readonly marked: readonly CacheMarker[]
  /** After the request before; absent where they are not in memory. */
  readonly views: CacheViews | undefined
}

/** Tokens that a request takes less than everything would; negative where it is more. */
export function savedBy(planned: PlannedTokens | undefined): number {
  return planned ? Math.round(planned.passThrough.tokens - planned.sent.tokens) : 0
}

/** A request in tokens, and the caches as it leaves them. Counts no text: what each item takes is known. */
export function plannedTokens(request: RequestToPlan): {
  readonly planned: PlannedTokens
  readonly views: CacheViews
} {
  const { exchange, input, before, after, info } = request
  const { items } = exchange.conversation
  const shared = sharedEntries(entriesOf(before), entriesOf(after))
  const { known } = shared
  const same = request.offersOthers ? 0 : shared.same
  const { sent, passThrough, stood, ends } = countedItems(request, { known, same })
  const lastMs = before?.lastRequestMs
  const { nowMs = 0 } = input
  const beforeItems = entriesOf(before).length
  const { request: viewed, views } = nextViews(request.views, {
    info,
    itemIds: items.map(({ id }) => id),
    ...ends,
    known,
    same,
    before: beforeItems,
    lastRequestMs: lastMs,
    nowMs,
    markers: exchange.wire.markers,
    marked: request.marked,
  })
  const change = request.offersOthers
    ? ({ by: 'gateway', part: 'tools' } as const)
    : changeAt({ items, known, same, before: beforeItems })
  const planned = {
    sent,
    passThrough,
    isRewritten: same < known || request.offersOthers,
    isWarm: lastMs !== undefined && nowMs - lastMs <= (info.cache.ttlMs[0] ?? 0),
    before: before?.lastTokens ?? 0,
    stood,
    ...(change && { changed: change }),
    viewed,
  }
  return { planned, views }
}

interface Counted extends Pick<PlannedTokens, 'sent' | 'passThrough' | 'stood'> {
  /** Tokens up to and including each item: of all that the client says, and of what is packed. */
  readonly ends: { readonly fullEnds: readonly number[]; readonly packedEnds: readonly number[] }
}

function countedItems(request: RequestToPlan, { known, same }: Shared): Counted {
  const { items } = request.exchange.conversation
  const { decisions, overheadTokens: overhead } = request.manifest
  const isOurs = oursAmong(request)
  const { unlistedTokens: unlisted } = request
  const bare = overhead - ownTokensOf(request)
  const frame = bare / items.length
  // Our tools' definitions stand in front of everything.
  const front = known > 0 && !request.offersOthers ? overhead - bare : 0
  const sent = { tokens: overhead, again: front, unlike: front }
  const isAgain = known > 0 && unlisted > 0
  let stood = front
  const passThrough = { tokens: bare + unlisted, again: isAgain ? unlisted : 0, unlike: 0 }
  const [fullEnds, packedEnds]: [number[], number[]] = [[], []]
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]
    const decision = decisions[index]
    if (!item || !decision) break
    const { tokens } = decision
    const full = isOurs(item) ? 0 : decision.originalTokens
    sent.tokens += tokens
    passThrough.tokens += full
    fullEnds.push((fullEnds.at(-1) ?? unlisted) + full + frame)
    packedEnds.push((packedEnds.at(-1) ?? overhead - bare) + tokens + frame)
    if (index < same) sent.again += tokens + frame
    if (index < known) passThrough.again += full + frame
    if (index < known) stood += tokens + frame
    if (index < same && tokens !== full) {
      sent.unlike = sent.again
      passThrough.unlike = passThrough.again
    }
  }
  return { sent, passThrough, stood, ends: { fullEnds, packedEnds } }
}

/** What of a request is there because of us; a tool of ours that comes in with it, too. */
function ownTokensOf({ input: { budget }, manifest }: RequestToPlan): number {
  const { ownTokens = 0, offerTokens = 0 } = budget
  return manifest.offers === true ? ownTokens + offerTokens : ownTokens
}

interface Compared extends Shared {
  readonly items: readonly Item[]
  /** Entries of the request before. */
  readonly before: number
}

function changeAt({ items, known, same, before }: Compared): PrefixChange | undefined {
  const at = Math.min(same, known)
  if (at >= before) return undefined
  const item = items[at]
  const by = same < known ? 'gateway' : 'client'
  return item ? { by, part: promptPartOf(item), itemId: item.id } : { by, part: 'messages' }
}

interface Shared {
  /** Entries at the front that both requests have. */
  readonly known: number
  /** Those of them that both show alike. */
  readonly same: number
}

function sharedEntries(before: readonly LedgerEntry[], after: readonly LedgerEntry[]): Shared {
  let known = 0
  // What has not changed is the very same entry.
  while (known < before.length && before[known] === after[known]) known += 1
  let same = known
  while (known < before.length && before[known]?.key === after[known]?.key) {
    if (same === known && before[known]?.text === after[known]?.text) same += 1
    known += 1
  }
  return { known, same }
}

/** Calls and results of our own tools, and what sources have contributed. */
function oursAmong({ received, exchange, hiddenTools, findsTools }: RequestToPlan): (item: Item) => boolean {
  const isHidden = ({ toolName, kind }: Item): boolean =>
    toolName !== undefined &&
    (hiddenTools.includes(toolName) || (findsTools && kind === 'tool-schema' && toolName === executeToolName))
  if (exchange.conversation.items.length === received.conversation.items.length) return isHidden
  const clients = new Set(received.conversation.items.map(({ id }) => id))
  // What the model has said stands in pieces where something was hidden between them.
  return (item) => isHidden(item) || (item.role !== 'assistant' && !clients.has(item.id))
}
