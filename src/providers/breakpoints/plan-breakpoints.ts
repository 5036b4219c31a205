import type { Breakpoint, WireExchange, Pack } from '../../core/index.ts'
import type { CacheKind, CacheRules, ModelInfo } from '../../tokens/index.ts'
import type { Place } from './places.ts'
import { placesOf } from './places.ts'

/** A breakpoint that can be found again in the session's next request. */
export interface PlannedBreakpoint extends Breakpoint {
  /** Of the request up to and including its block, by which an unchanged prefix is told. */
  readonly tokens: number
}

export interface BreakpointInput {
  readonly exchange: WireExchange
  readonly pack: Pack
  readonly info: Pick<ModelInfo, 'cache'>
  /** What was planned for the session's last request; without it its end is told from the roles. */
  readonly previous?: readonly PlannedBreakpoint[]
  /** Lifetime of tools and instructions, which sessions share; the shortest on offer by default. */
  readonly sharedTtlMs?: number | undefined
}

/** What a provider still takes beside the caller's own markers. */
interface FreePlaces extends CacheRules {
  /** The last place that the caller has marked; -1 where it has marked none. */
  readonly after: number
}

type Planner = (
  places: readonly Place[],
  rules: FreePlaces,
  previous: readonly PlannedBreakpoint[] | undefined,
) => readonly number[]

/** Caches that take no markers have no planner. */
const planners: { readonly [Kind in CacheKind]?: Planner } = {
  'anthropic-breakpoints': planAnthropic,
  'openai-breakpoints': planOpenai,
}

/** Where a packed request is to be marked for the provider's prompt cache, beside the caller's own markers: behind the last of them, in places left over. */
export function planBreakpoints(input: BreakpointInput): readonly PlannedBreakpoint[] {
  const { exchange, pack, info, previous } = input
  const planner = planners[info.cache.kind]
  if (planner === undefined || pack.layout !== 'messages') return []
  const places = placesOf(exchange, pack)
  const free = freePlaces(exchange, info, places)
  if (free === undefined) return []
  const [shortest = 0] = info.cache.ttlMs
  const isForeign = info.cache.kind === 'anthropic-breakpoints' && exchange.wire.dialect !== 'anthropic-messages'
  const sharedEnd = places.findLastIndex(({ part }) => part !== 'messages')
  const chosen = planner(places, free, previous).map((index) => ({
    itemId: places[index]?.itemId ?? '',
    tokens: places[index]?.tokens ?? 0,
    ttlMs: index <= sharedEnd && free.after < 0 ? (input.sharedTtlMs ?? shortest) : shortest,
    ...(isForeign && { by: 'anthropic' as const }),
  }))
  return longestFirst(chosen)
}

/** Undefined where the caller sees to everything: it has marked the end, or all that may be, or its provider has a mode for that. */
function freePlaces(
  { wire: { markers } }: WireExchange,
  { cache }: BreakpointInput['info'],
  places: readonly Place[],
): FreePlaces | undefined {
  if (markers.length === 0) return { ...cache, after: -1 }
  const maxBreakpoints = cache.maxBreakpoints - markers.length
  if (cache.kind !== 'anthropic-breakpoints' || maxBreakpoints <= 0) return undefined
  const marked = new Set(markers.map(({ itemId }) => itemId))
  return { ...cache, maxBreakpoints, after: places.findLastIndex(({ itemId }) => marked.has(itemId)) }
}

/** A longer lifetime after a shorter one is an error at the provider. */
function longestFirst(breakpoints: readonly PlannedBreakpoint[]): readonly PlannedBreakpoint[] {
  let ttlMs = 0
  return breakpoints
    .toReversed()
    .map((breakpoint) => {
      ttlMs = Math.max(ttlMs, breakpoint.ttlMs)
      return { ...breakpoint, ttlMs }
    })
    .toReversed()
}

/**
 * The last block, so that the next request can read all of this one; the last place that the previous request marked
 * and that has not changed since, so that this one does, however much was added; the end of tools and system, and of
 * what the next epoch will leave alone, so that a change in the middle costs only what follows it. Places left over go to the tools alone, which outlast a
 * changing system prompt, and to steps within the lookback from the end, should the previous end have been elsewhere.
 */
function planAnthropic(
  places: readonly Place[],
  rules: FreePlaces,
  previous: readonly PlannedBreakpoint[] | undefined,
): readonly number[] {
  const last = markableAt(places, places.length - 1)
  if (last === undefined) return []
  const wanted = [
    last,
    previous === undefined ? likelyPreviousEnd(places) : unchangedMark(places, previous),
    markableAt(
      places,
      places.findLastIndex(({ part }) => part !== 'messages'),
    ),
    stableEndOf(places),
    markableAt(
      places,
      places.findLastIndex(({ part }) => part === 'tools'),
    ),
    ...stepsBack(places, last, rules.lookback),
  ]
  return firstDistinct(places, rules, wanted)
}

/** Ends of messages are marked by the provider itself; only what must outlast an epoch needs a marker. */
function planOpenai(places: readonly Place[], rules: FreePlaces): readonly number[] {
  const systemEnd = markableAt(
    places,
    places.findLastIndex(({ part }) => part === 'system'),
  )
  const chosen = firstDistinct(places, { ...rules, maxBreakpoints: rules.maxBreakpoints - 1 }, [
    systemEnd,
    stableEndOf(places, (place) => place.part !== 'tools' && !place.spoken),
  ])
  return chosen.filter((index) => index !== places.length - 1)
}

/** The places of highest priority that are long enough to be cached, in wire order. */
function firstDistinct(
  places: readonly Place[],
  rules: FreePlaces,
  wanted: readonly (number | undefined)[],
): readonly number[] {
  const isFree = (index: number | undefined): boolean =>
    index !== undefined && index > rules.after && (places[index]?.tokens ?? 0) >= rules.minTokens
  const long = wanted.filter(isFree)
  const distinct = [...new Set(long)].filter((index) => index !== undefined)
  return distinct.slice(0, rules.maxBreakpoints).toSorted((a, b) => a - b)
}

/** The nearest block at or before an index that may carry a marker. */
function markableAt(
  places: readonly Place[],
  index: number,
  suits: (place: Place) => boolean = () => true,
): number | undefined {
  for (let at = index; at >= 0; at -= 1) {
    const place = places[at]
    if (place?.markable === true && suits(place)) return at
  }
  return undefined
}

/** The last block before the first one that an epoch may still change. */
function stableEndOf(places: readonly Place[], suits?: (place: Place) => boolean): number | undefined {
  const changing = places.findIndex((place) => !place.settled)
  return markableAt(places, changing < 0 ? places.length - 1 : changing - 1, suits)
}

/** The last marked place up to which nothing has changed. */
function unchangedMark(places: readonly Place[], previous: readonly PlannedBreakpoint[]): number | undefined {
  const marked = new Map(previous.map(({ itemId, tokens }) => [itemId, tokens]))
  const index = places.findLastIndex(({ itemId, tokens }) => marked.get(itemId) === tokens)
  return index < 0 ? undefined : index
}

/** Where the previous request should have ended: right before what the model said last. */
function likelyPreviousEnd(places: readonly Place[]): number | undefined {
  const said = places.findLastIndex(({ spoken }) => spoken)
  return markableAt(
    places,
    places.findLastIndex(({ spoken }, index) => index < said && !spoken),
  )
}

function stepsBack(places: readonly Place[], last: number, lookback: number): readonly (number | undefined)[] {
  const step = Math.max(1, lookback - 1)
  return [1, 2, 3].map((count) => markableAt(places, last - count * step))
}
