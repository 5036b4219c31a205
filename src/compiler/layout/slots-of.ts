import type { PayloadPolicy, RankedPlacement } from '../../core/index.ts'
import { compareCodeUnits, isKnownSection } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { AssembleInput } from '../stages/assemble.ts'
import { interleave } from './interleave.ts'
import type { Slot } from './slot.ts'

/** What stands in each place of a request, and where its evidence comes from. */
export type Slots = Record<Slot, readonly Form[]> & { readonly uris: readonly string[] }

export function slotsOf(input: AssembleInput, rank: Rank, { placement }: PayloadPolicy): Slots {
  const { forms, scores, order } = input
  const slots = filledSlots(input)
  const evidence = (input.members.get('evidence') ?? []).filter((index) => forms[index] !== undefined)
  const { placed, uris } = rank(
    slots.evidence,
    evidence.map((index) => scores[index] ?? 0),
    {
      places: order === undefined ? [] : evidence.map((index) => order[index] ?? index),
      placement: placement?.['evidence'] ?? 'both-ends',
    },
  )
  const place = (shown: readonly Form[]) => placedBySection(shown, { forms, scores, order, placement })
  return {
    ...slots,
    uris,
    // Ranked sets only; a conversation keeps its order (B-08, V-059).
    evidence: placed,
    tools: inOrderOfTools(slots.tools, lastingTools(input)),
    situation: place(slots.situation),
    memory: place(slots.memory),
    others: place(slots.others).toSorted((a, b) => compareCodeUnits(a.entry.section, b.entry.section)),
  }
}

/** Of each place in order of arrival; only of memory a form itself says where it stands. */
function filledSlots({ forms, members, durable }: AssembleInput): Record<Slot, Form[]> {
  const slots: Record<Slot, Form[]> = {
    policy: [],
    role: [],
    durable: [],
    tools: [],
    task: [],
    evidence: [],
    memory: [],
    situation: [],
    history: [],
    query: [],
    reserve: [],
    others: [],
  }
  const moved = new Set(durable)
  for (const [section, indexes] of members) {
    const own = slots[isKnownSection(section) ? section : 'others']
    for (const index of indexes) {
      const shown = forms[index]
      if (shown === undefined) continue
      if (section !== 'memory') own.push(shown)
      else if (!moved.has(index)) slots[shown.slot].push(shown)
    }
  }
  for (const index of durable) {
    const form = forms[index]
    if (form) slots.durable.push(form)
  }
  return slots
}

function lastingTools({ forms, members, pinned }: AssembleInput): ReadonlySet<Form> {
  const lasting = (members.get('tools') ?? []).filter((index) => pinned[index] === 1)
  return new Set(lasting.flatMap((index) => forms[index] ?? []))
}

/**
 * What stays whatever happens, then what may go, each by its id and never by its worth: a provider caches tools first of all, and one that is
 * dropped leaves the beginning of the list as it was.
 */
function inOrderOfTools(tools: readonly Form[], lasting: ReadonlySet<Form>): readonly Form[] {
  return tools.toSorted(
    (a, b) => Number(lasting.has(b)) - Number(lasting.has(a)) || compareCodeUnits(a.entry.itemId, b.entry.itemId),
  )
}

interface PlacedBy extends Pick<AssembleInput, 'forms' | 'scores' | 'order'> {
  readonly placement: PayloadPolicy['placement']
}

/** Items of sections that a policy places stand so; the others as they came. */
function placedBySection(shown: readonly Form[], { forms, scores, order, placement }: PlacedBy): readonly Form[] {
  if (placement === undefined || shown.length < 2) return shown
  const indexOf = new Map(forms.map((form, index) => [form, index]))
  return Array.from(Map.groupBy(shown, ({ entry }) => entry.section)).flatMap(([section, own]) => {
    const indexes = own.map((form) => indexOf.get(form) ?? 0)
    const places = indexes.map((index) => order?.[index] ?? index)
    const best = byScore(
      own,
      indexes.map((index) => scores[index] ?? 0),
      places,
    )
    return placements[placement[section] ?? 'arrival'](best, own)
  })
}

type Place = (best: readonly Form[], arrived: readonly Form[]) => readonly Form[]

const placements: Readonly<Record<RankedPlacement, Place>> = {
  'both-ends': (best) => interleave(best),
  'best-last': (best) => best.toReversed(),
  'best-first': (best) => best,
  'arrival': (_, arrived) => arrived,
}

interface RankedPieces {
  readonly shown: readonly Form[]
  readonly scores: readonly number[]
  readonly by: RankedBy
  readonly placed: readonly Form[]
  readonly uris: readonly string[]
}

interface RankedBy {
  /** Of each among equals; empty where it is that of arrival. */
  readonly places: readonly number[]
  readonly placement: RankedPlacement
}

export type Rank = (shown: readonly Form[], scores: readonly number[], by: RankedBy) => RankedPieces

/** Puts ranked pieces where readers look; the order is kept while pieces and scores stay. */
export function ranker(): Rank {
  let last: RankedPieces = { shown: [], scores: [], by: { places: [], placement: 'both-ends' }, placed: [], uris: [] }
  return (shown, scores, by) => {
    const isKnown = last.by.placement === by.placement && isSame(last.by.places, by.places)
    if (!isKnown || !isSame(last.shown, shown) || !isSame(last.scores, scores)) {
      const placed = placements[by.placement](byScore(shown, scores, by.places), shown)
      last = { shown, scores, by, placed, uris: urisOf(shown) }
    }
    return last
  }
}

function urisOf(shown: readonly Form[]): readonly string[] {
  return [...new Set(shown.flatMap(({ uri }) => uri ?? []))]
}

function isSame<Value>(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false
  return true
}

/** By falling score; equals by their places. */
function byScore(shown: readonly Form[], scores: readonly number[], places: readonly number[]): readonly Form[] {
  const order = Uint32Array.from(shown.keys())
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (places[a] ?? a) - (places[b] ?? b))
  return Array.from(order, (index) => shown[index]).filter((one) => one !== undefined)
}
