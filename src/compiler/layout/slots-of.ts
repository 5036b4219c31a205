import type { PayloadPolicy, RankedPlacement, Section } from '../../core/index.ts'
import { compareCodeUnits, isKnownSection, grouped } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import { hasSameElements } from '../items/same-elements.ts'
import type { AssembleInput } from '../stages/assemble.ts'
import { interleave } from './interleave.ts'
import type { Slot } from '../forms/slot.ts'

/** What stands in each place of a request, and where its evidence comes from. */
export type Slots = Record<Slot, readonly Form[]> & { readonly uris: readonly string[] }

/** Memory as its section shows it, by where it stands. */
export type SplitMemory = (shown: readonly Form[]) => MemorySlots

interface MemorySlots {
  readonly shown: readonly Form[]
  readonly durable: readonly Form[]
  readonly memory: readonly Form[]
}

/** Of the same list the parts are the same. */
export function memorySplitter(): SplitMemory {
  let last: MemorySlots = { shown: [], durable: [], memory: [] }
  return (shown) => {
    if (shown !== last.shown) {
      const standing = (own: Slot): readonly Form[] => shown.filter(({ slot }) => slot === own)
      last = { shown, durable: standing('durable'), memory: standing('memory') }
    }
    return last
  }
}

export interface SlotParts {
  readonly rank: Rank
  readonly splitMemory: SplitMemory
}

export function slotsOf(input: AssembleInput, { rank, splitMemory }: SlotParts, { placement }: PayloadPolicy): Slots {
  const { forms, scores, order } = input
  const slots = filledSlots(input, splitMemory)
  const { placed, uris } = rank(slots.evidence, input, placement?.['evidence'] ?? 'both-ends')
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

/** Of each place in order of arrival. */
function filledSlots(input: AssembleInput, splitMemory: SplitMemory): Record<Slot, readonly Form[]> {
  const { members } = input
  const shownIn = (section: Section): readonly Form[] => shownOf(input, section)
  const memory = shownIn('memory')
  const moved = new Set(input.durable)
  const moving = input.durable.flatMap((index) => input.forms[index] ?? [])
  const staying = moved.size === 0 ? memory : shownOf(input, 'memory', moved)
  const { durable, memory: inPayload } = splitMemory(staying)
  const others = Array.from(members.keys()).filter((section) => !isKnownSection(section))
  return {
    policy: shownIn('policy'),
    role: shownIn('role'),
    durable: moving.length === 0 ? durable : [...durable, ...moving],
    tools: shownIn('tools'),
    task: shownIn('task'),
    evidence: shownIn('evidence'),
    memory: inPayload,
    situation: shownIn('situation'),
    history: shownIn('history'),
    query: shownIn('query'),
    reserve: [],
    others: others.flatMap(shownIn),
  }
}

const none: ReadonlySet<number> = new Set()

/** The forms of a section in order of arrival, without some. */
function shownOf({ forms, sections, members }: AssembleInput, section: Section, without = none): readonly Form[] {
  const known = sections?.get(section)
  if (known !== undefined && without.size === 0) return known.shown
  const shown: Form[] = []
  for (const index of members.get(section) ?? []) {
    const form = without.has(index) ? undefined : forms[index]
    if (form !== undefined) shown.push(form)
  }
  return shown
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
  return Array.from(grouped(shown, ({ entry }) => entry.section)).flatMap(([section, own]) => {
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
  readonly by: RankedBy
  readonly placed: readonly Form[]
  readonly uris: readonly string[]
}

interface RankedBy {
  /** Of each piece. */
  readonly scores: readonly number[]
  /** Of each among equals; empty where it is that of arrival. */
  readonly places: readonly number[]
  readonly placement: RankedPlacement
}

export type Rank = (shown: readonly Form[], input: AssembleInput, placement: RankedPlacement) => RankedPieces

/** Puts ranked evidence where readers look; the order is kept while pieces and scores stay. */
export function ranker(): Rank {
  let last: RankedPieces = { shown: [], by: { scores: [], places: [], placement: 'both-ends' }, placed: [], uris: [] }
  let of: (Pick<AssembleInput, 'scores' | 'order'> & { readonly members: readonly number[] }) | undefined
  return (shown, { forms, scores, order, members: all }, placement) => {
    const members = all.get('evidence') ?? []
    const isWorthTheSame =
      of?.members === members && of.order === order && hasSameScores(members, scores, of.scores) && last.shown === shown
    of = { members, scores, order }
    if (isWorthTheSame && last.by.placement === placement) return last
    const by = { ...valuesOfShown({ forms, scores, order }, members), placement }
    const isKnown =
      last.by.placement === placement &&
      hasSameElements(last.by.places, by.places) &&
      hasSameElements(last.shown, shown) &&
      hasSameElements(last.by.scores, by.scores)
    const placed = isKnown ? last.placed : placements[placement](byScore(shown, by.scores, by.places), shown)
    last = { shown, by, placed, uris: isKnown ? last.uris : urisOf(shown) }
    return last
  }
}

function hasSameScores(members: readonly number[], scores: Float64Array, others: Float64Array): boolean {
  for (const index of members) if (scores[index] !== others[index]) return false
  return true
}

/** Of members that are shown, what each is worth and its place among equals; no places where these are those of arrival. */
function valuesOfShown(
  { forms, scores, order }: Pick<AssembleInput, 'forms' | 'scores' | 'order'>,
  members: readonly number[],
): Pick<RankedBy, 'scores' | 'places'> {
  const values: number[] = []
  const places: number[] = []
  for (const index of members) {
    if (forms[index] === undefined) continue
    values.push(scores[index] ?? 0)
    if (order !== undefined) places.push(order[index] ?? index)
  }
  return { scores: values, places }
}

function urisOf(shown: readonly Form[]): readonly string[] {
  return [...new Set(shown.flatMap(({ uri }) => uri ?? []))]
}

/** By falling score; equals by their places. */
function byScore(shown: readonly Form[], scores: readonly number[], places: readonly number[]): readonly Form[] {
  const order = Uint32Array.from(shown.keys())
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (places[a] ?? a) - (places[b] ?? b))
  return Array.from(order, (index) => shown[index]).filter((one) => one !== undefined)
}
