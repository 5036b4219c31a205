import type { Decay, HygienePolicy, Item } from '../../core/index.ts'
import { perObjectAndKey } from '../../core/index.ts'
import { agedItem } from '../hygiene/aged-items.ts'
import { decayOf, decayed, usualDecays } from '../hygiene/decay.ts'
import type { Candidate } from '../items/candidate.ts'
import type { Measured } from './measured.ts'
import { isOfModel } from './use-meter.ts'
import type { Uses } from './use-meter.ts'

/**
 * What of a pack has aged, weighted by tokens: the sum of (1 - r) times tokens, over all tokens. r is 1 for what does not age, and falls as the
 * policy's hygiene says, or where that says nothing by half in 2.3 turns for results and evidence, in 13.9 for words of users and memory, in 6.9
 * for what the model has said, from the turn on in which a text came or was used last. Freshness that somebody knows multiplies it. Of what has
 * no turn and no freshness nothing is known: it does not count. Undefined where nothing counts.
 */
export function agedShare({ input, list, forms }: Aging, uses: Uses): number | undefined {
  const { candidates } = list
  const turn = latestTurn(candidates)
  const { hygiene } = input.policy
  let aged = 0
  let all = 0
  for (let index = 0; index < candidates.length; index += 1) {
    const { item } = candidates[index] as Candidate
    const tokens = forms[index]?.tokens ?? 0
    const age = ageOf(item, index, { uses, turn })
    const { freshness } = item.scores ?? {}
    if (tokens === 0 || (age === undefined && freshness === undefined)) continue
    all += tokens
    aged += tokens * (1 - (freshness ?? 1) * leftOf(item, age ?? 0, hygiene))
  }
  return all === 0 ? undefined : aged / all
}

type Aging = Pick<Measured, 'input' | 'list' | 'forms'>

function latestTurn(candidates: readonly Candidate[]): number {
  let latest = 0
  for (const { item } of candidates)
    if (item.birthTurn !== undefined && item.birthTurn > latest) latest = item.birthTurn
  return latest
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

/** By the rates by which a policy has things grow old, and by those that usually hold where it names none. */
function leftOf(item: Item, age: number, hygiene: HygienePolicy | undefined): number {
  const usual = isOfModel(item) ? ofModel : ofOthers
  if (hygiene === undefined) return decayed(usualDecay(item, usual), { turns: age, unused: age })
  const rates = hygiene?.decay === undefined ? { ...hygiene, ...usual } : hygiene
  return agedItem({ ...item, birthTurn: 0 }, rates, { turn: age }).left
}

/** What an item is does not change, and neither does how it grows old. */
const decayByItem = perObjectAndKey<Item, Decay>()

function usualDecay(item: Item, rates: HygienePolicy): Decay {
  return decayByItem(item, rates, () => decayOf(item, rates) as Decay)
}

const ofModel: HygienePolicy = { decay: { usual: { model: 'exponential', rate: 0.1 } } }

const ofResults = usualDecays['tool-result'] as Decay
const ofOthers: HygienePolicy = {
  decay: { 'tool-result': ofResults, 'evidence': ofResults, 'usual': usualDecays['correction'] as Decay },
}
