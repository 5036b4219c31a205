import type { CachePrices, LedgerMemory } from '../../core/index.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import type { Solution } from '../overflow/overflow.ts'
import type { Ranked } from '../stages/rank.ts'
import type { SectionForms } from '../stages/section-forms.ts'

/** Packs in a row in which memory has stood the same before it may move to where the cache holds it. */
const stablePacks = 3

/** Memory that stands in a pack as it is, by its index, in order of arrival. */
export interface ShownMemory {
  readonly index: number
  /** The same as long as what is shown is. */
  readonly key: string
  readonly tokens: number
}

export type ListMemory = (
  list: Pick<CandidateList, 'candidates'>,
  solution: Pick<Solution, 'forms' | 'sections'>,
  members: Ranked['members'],
) => readonly ShownMemory[]

/** Of the same members, shown the same, the list is the same. */
export function memoryLister(): ListMemory {
  let last: Listed = { members: [], section: undefined, shown: [] }
  return ({ candidates }, { forms, sections }, all) => {
    const members = all.get('memory') ?? noMembers
    const section = sections?.get('memory')
    if (section !== undefined && last.section === section && last.members === members) return last.shown
    const shown: ShownMemory[] = []
    for (const index of members) {
      const form = forms[index]
      if (form?.slot !== 'memory' || candidates[index]?.refers === true) continue
      form.memoryKey ??= `${candidates[index]?.contentHash ?? ''} ${form.entry.rung}`
      shown.push({ index, key: form.memoryKey, tokens: form.tokens })
    }
    last = { members, section, shown }
    return shown
  }
}

const noMembers: readonly number[] = []

interface Listed {
  readonly members: readonly number[]
  readonly section: SectionForms | undefined
  readonly shown: readonly ShownMemory[]
}

export interface DurableMemory {
  /** What has moved, in the order in which it did: nothing that stands before it ever changes for it. */
  readonly durable: readonly number[]
  /** For the ledger: what has moved first, then the rest. */
  readonly memory: readonly LedgerMemory[]
}

export interface MemoryMove {
  readonly shown: readonly ShownMemory[]
  /** As of the last pack. */
  readonly known: readonly LedgerMemory[]
  /** Tokens of what stands behind the system text in the cache, and has to be written again when memory moves before it. */
  readonly behindTokens: number
  readonly prices: Pick<CachePrices, 'read' | 'write'>
}

/**
 * Memory moves into the system text, and stays there, once it has stood the same for three packs and the move pays: what it saves
 * over as many packs again as it has stood is more than writing again what stands behind.
 */
export function durableMemory({ shown, known, behindTokens, prices }: MemoryMove): DurableMemory {
  // What nobody has seen before is ripe for nothing.
  if (known.length === 0) return { durable: [], memory: shown.map(({ key }) => ({ key, packs: 1 })) }
  const place = new Map<string, number>()
  for (let at = 0; at < known.length; at += 1) place.set(known[at]?.key ?? '', at)
  const entries = shown.map(({ index, key, tokens }) => {
    const { packs = 0, durable = false } = known[place.get(key) ?? -1] ?? {}
    return { index, key, tokens, packs: packs + 1, durable }
  })
  const held = entries
    .filter(({ durable }) => durable)
    .toSorted((a, b) => (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0))
  const ripe = entries.filter(({ durable, packs }) => !durable && packs > stablePacks)
  const gain = ripe.reduce((sum, { tokens, packs }) => sum + tokens * packs, 0) * (1 - prices.read)
  const cost = behindTokens * (prices.write - prices.read)
  const moves = ripe.length > 0 && gain > cost ? ripe : []
  const durable = [...held, ...moves]
  const isDurable = new Set(durable.map(({ index }) => index))
  return {
    durable: [...isDurable],
    memory: [
      ...durable.map(({ key, packs }) => ({ key, packs, durable: true })),
      ...entries.filter(({ index }) => !isDurable.has(index)).map(({ key, packs }) => ({ key, packs })),
    ],
  }
}
