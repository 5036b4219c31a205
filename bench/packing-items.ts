import type { CompileInput, Item } from '../src/core/index.ts'
import { careful } from '../src/compiler/index.ts'
import { seededRandom } from '../src/core/index.ts'

const nouns = ['session', 'request', 'invoice', 'worker', 'cache', 'ledger', 'customer', 'token', 'queue', 'index']
const verbs = ['returned', 'rejected', 'stored', 'retried', 'expired after', 'merged', 'sorted', 'dropped', 'logged']
const things = [
  'src/billing/total.ts',
  'HTTP 429',
  '4,096 rows',
  'a stale handle',
  'order 88123',
  'two replicas',
  'UTC',
]

/** Prose about software, about `words` words long. */
function prose(random: () => number, words: number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  const parts: string[] = []
  for (let length = 0; length < words; length += 9)
    parts.push(`The ${pick(nouns)} ${pick(verbs)} ${pick(things)} before the ${pick(nouns)} ${pick(verbs)} it again.`)
  return parts.join(' ')
}

/** Items of a research agent: half evidence, a tenth memory, the rest conversation; about 120 tokens each. */
export function packingItems(count: number, seed = 1): readonly Item[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index): Item => {
    const text = `#${index} ${prose(random, 24 + Math.floor(random() * 90))}`
    const scores = { relevance: random(), authority: random(), freshness: random() }
    if (index === 0) return { id: 'policy', section: 'policy', kind: 'instruction', text }
    if (index % 10 < 5) {
      const provenance = { sourceId: `s${index}`, uri: `artifact://notes/${index}` }
      return { id: `e${index}`, section: 'evidence', kind: 'evidence', text, scores, provenance }
    }
    if (index % 10 === 5) return { id: `m${index}`, section: 'memory', kind: 'memory', text, scores }
    return { id: `h${index}`, section: 'history', kind: 'text', role: index % 2 === 0 ? 'user' : 'assistant', text }
  })
}

export const budgetTokens = 100_000

export const packerNames = [
  'Prehend',
  'Prehend, frozen items',
  '@vscode/prompt-tsx',
  'LangChain trimMessages, chars/4',
  'LangChain trimMessages, exact counts remembered',
] as const
export type PackerName = (typeof packerNames)[number]

/** What a packer is to run: packs of so many items, or 0 to run until it is warm. */
export interface PackingOrder {
  readonly items: number
  readonly repeats: number
}

/** In milliseconds. */
export interface PackingTimes {
  readonly cold: number
  readonly warm: readonly number[]
  readonly appended: readonly number[]
  readonly tokens: number
}

export function packingInput(items: readonly Item[], tokens: number, request = 'What changed?'): CompileInput {
  return {
    items,
    budget: { windowTokens: Math.floor(tokens / 0.9) },
    policy: packingPolicy,
    layout: 'payload',
    frame: { goal: 'Explain the outage.', step: 'Find its cause.', acceptance: ['Every claim names a URI.'], request },
    rehydration: true,
  }
}

const packingPolicy = careful
