import type { Item } from '../../core/index.ts'
import type { Measured } from './measured.ts'
import { isOfModel } from './use-meter.ts'
import type { Uses } from './use-meter.ts'

/**
 * What of a pack has aged, weighted by tokens: the sum of (1 - r) times tokens, over all tokens. r is 1 for what does not age, and falls by
 * half in 2.3 turns for results and evidence, in 13.9 for words of users and memory, in 6.9 for what the model has said, from the turn on in
 * which a text came or was used last. Freshness that somebody knows multiplies it. Of what has no turn and no freshness nothing is known: it
 * does not count. Undefined where nothing counts.
 */
export function agedShare({ list, forms }: Pick<Measured, 'list' | 'forms'>, uses: Uses): number | undefined {
  const turn = latestTurn(list.candidates.map(({ item }) => item))
  let aged = 0
  let all = 0
  for (const [index, { item }] of list.candidates.entries()) {
    const tokens = forms[index]?.tokens ?? 0
    const age = ageOf(item, index, { uses, turn })
    const { freshness } = item.scores ?? {}
    if (tokens === 0 || (age === undefined && freshness === undefined)) continue
    all += tokens
    aged += tokens * (1 - (freshness ?? 1) * decay(item, age ?? 0))
  }
  return all === 0 ? undefined : aged / all
}

function latestTurn(items: readonly Item[]): number {
  return items.reduce((latest, { birthTurn = 0 }) => Math.max(latest, birthTurn), 0)
}

const lasting: ReadonlySet<string> = new Set(['policy', 'role', 'task', 'tools', 'query'])

interface Now {
  readonly uses: Uses
  /** The latest that an item names. */
  readonly turn: number
}

/** In turns: since it was used last where it stands in a conversation, since its birth elsewhere; undefined where nobody knows. */
function ageOf(item: Item, index: number, { uses, turn }: Now): number | undefined {
  if (lasting.has(item.section)) return 0
  if (item.section === 'history') return uses.turns - (uses.used[index] ?? uses.turns)
  return item.birthTurn === undefined ? undefined : turn - item.birthTurn
}

/** What is left of it after each turn. */
const perTurn = { result: 0.7408182206817179, user: 0.951229424500714, model: 0.9048374180359595 } as const

/** What is older has no relevance left. */
const mostTurns = 120

function decay(item: Item, age: number): number {
  const factor = perTurn[speedOf(item)]
  let left = 1
  for (let turn = Math.min(age, mostTurns); turn > 0; turn -= 1) left *= factor
  return left
}

function speedOf(item: Item): keyof typeof perTurn {
  if (isOfModel(item)) return 'model'
  return item.kind === 'tool-result' || item.kind === 'evidence' ? 'result' : 'user'
}
