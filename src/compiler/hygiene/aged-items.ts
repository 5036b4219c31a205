import type { HygienePolicy, Item, StalenessSignal } from '../../core/index.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { phaseStart } from '../policy/detect-phase.ts'
import { decayOf, decayed } from './decay.ts'
import type { Age } from './decay.ts'
import type { ItemHistory } from './item-history.ts'
import { referenceReader } from './references.ts'

/** What has become of an item since it appeared. */
export interface Aged {
  /** What is left of its relevance, in [0, 1]. */
  readonly left: number
  /** Why it has had its time; empty where it has not. */
  readonly signals: readonly StalenessSignal[]
}

/** Where an item stands in time, by the turns of its session. */
export interface HygieneContext {
  /** The turn that it is. */
  readonly turn: number
  /** The turn in which something last referred to the item. */
  readonly referredTurn?: number | undefined
  /** The turn in which the phase began that the task is in. */
  readonly phaseTurn?: number | undefined
  readonly superseded?: boolean
  readonly voided?: boolean
}

const usualStaleWorth = 0.25

/** Which signals of staleness an item shows, and what is left of its relevance. Pure; an item without a birth turn is new. */
export function agedItem(item: Item, hygiene: HygienePolicy, context: HygieneContext): Aged {
  const { turn, referredTurn = 0 } = context
  const born = item.birthTurn ?? turn
  const age: Age = { turns: Math.max(0, turn - born), unused: Math.max(0, turn - Math.max(born, referredTurn)) }
  const signals = Object.entries(tests).flatMap(([signal, test]) =>
    test(hygiene, { age, born, context }) ? [signal as StalenessSignal] : [],
  )
  const decay = decayOf(item, hygiene)
  const left = decay === undefined ? 1 : decayed(decay, age)
  return { left: signals.length === 0 ? left : left * (hygiene.staleWorth ?? usualStaleWorth), signals }
}

/** What is left of an item's relevance, in [0, 1]; what is not known of it counts as all. */
export function relevanceAt(item: Item, hygiene: HygienePolicy, context: HygieneContext): number {
  return initialRelevance(item) * agedItem(item, hygiene, context).left
}

export function initialRelevance({ scores, provenance }: Item): number {
  return scores?.relevance ?? provenance?.relevanceScore ?? 1
}

interface Tested {
  readonly age: Age
  readonly born: number
  readonly context: HygieneContext
}

const tests: Readonly<Record<StalenessSignal, (hygiene: HygienePolicy, tested: Tested) => boolean>> = {
  'age': ({ staleAfter }, { age }) => staleAfter !== undefined && age.turns > staleAfter,
  'unused': ({ unusedFor }, { age }) => unusedFor !== undefined && age.unused > unusedFor,
  'superseded': ({ superseded }, { context }) => superseded === true && context.superseded === true,
  'phase-change': ({ phaseChange }, { born, context: { phaseTurn } }) =>
    phaseChange === true && phaseTurn !== undefined && born < phaseTurn,
  'voided': ({ voided }, { context }) => voided === true && context.voided === true,
}

/** Whether a policy has anything grow old by itself. */
export function growsOld({ decay, staleAfter, unusedFor, superseded, phaseChange, voided }: HygienePolicy): boolean {
  const figures = [decay, staleAfter, unusedFor].some((figure) => figure !== undefined)
  return figures || superseded === true || phaseChange === true || voided === true
}

/** The same of all items of a compile, in their order, by what the conversation among them tells. The newest birth turn is now. */
export function agedItems(items: readonly Item[], hygiene: HygienePolicy, history: ItemHistory): readonly Aged[] {
  const turn = items.reduce((newest, { birthTurn = 0 }) => Math.max(newest, birthTurn), 0)
  const referredTurn = referenceReader(items)
  const phaseTurn = hygiene.phaseChange === true ? phaseStart(items) : undefined
  const steps = stepNumbers(items)
  const over = history.outdated({ items, steps, hygiene, hiddenTools: [] })
  const replaced = hygiene.superseded === true ? replacedItems(items) : nothing
  return items.map((item, index) => {
    if (untouched.has(item.section)) return fresh
    const why = over.get(index)
    return agedItem(item, hygiene, {
      turn,
      referredTurn: referredTurn(item),
      phaseTurn,
      superseded: why === 'superseded' || replaced.has(index),
      voided: why === 'voided',
    })
  })
}

/** Instructions, tools and what is asked now do not grow old. */
const untouched: ReadonlySet<string> = new Set(['policy', 'role', 'task', 'tools', 'query', 'reserve'])
const fresh: Aged = { left: 1, signals: [] }
const nothing: ReadonlySet<number> = new Set()

/** Evidence and memory of a place, and of the same part of it, that something newer was fetched from since. */
function replacedItems(items: readonly Item[]): ReadonlySet<number> {
  const newest = new Map<string, number>()
  const replaced = new Set<number>()
  for (const [index, item] of items.entries()) {
    const place = placeOf(item)
    if (place === undefined) continue
    const known = newest.get(place)
    const before = known === undefined ? undefined : items[known]
    if (known === undefined || before === undefined) newest.set(place, index)
    else if (isNewer(item, before)) {
      replaced.add(known)
      newest.set(place, index)
    } else if (isNewer(before, item)) replaced.add(index)
  }
  return replaced
}

function placeOf({ kind, provenance }: Item): string | undefined {
  if (kind !== 'evidence' && kind !== 'memory') return undefined
  return provenance?.uri === undefined ? undefined : `${provenance.uri} ${provenance.span?.join('-') ?? ''}`
}

function isNewer(one: Item, other: Item): boolean {
  const turns = (one.birthTurn ?? 0) - (other.birthTurn ?? 0)
  if (turns !== 0) return turns > 0
  return (one.provenance?.retrievedAt ?? '') > (other.provenance?.retrievedAt ?? '')
}
