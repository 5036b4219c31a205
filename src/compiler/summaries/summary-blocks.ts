import type { Hasher, Item, SummaryPolicy, SummaryTurn } from '../../core/index.ts'
import { contentHasher } from '../items/item-keys.ts'
import { dialogueOf } from './dialogue.ts'
import { turnsOfBlock } from './segments.ts'
import { summaryKey } from './summarist.ts'
import { recentTurns } from './window.ts'

/** A complete block of turns that a summary may stand for. */
export interface SummaryBlock {
  /** Names what was said: the same words have the same, whoever says them when. */
  readonly key: string
  readonly itemIds: readonly string[]
  readonly turns: readonly SummaryTurn[]
  /** Most tokens of its text; those of the policy by default. */
  readonly mostTokens?: number
}

/** The input of `summaryBlocks`: the items of a conversation, and the policy that cuts it into blocks. */
export interface BlocksInput {
  readonly items: readonly Item[]
  readonly policy: SummaryPolicy
  readonly hash: Hasher
}

/** The complete blocks of a conversation, oldest first, that lie before the turns which always stand as they were said. */
export function summaryBlocks({ items, policy, hash }: BlocksInput): readonly SummaryBlock[] {
  const dialogue = dialogueOf(items, () => false)
  const blockTurns = turnsOfBlock(policy)
  const least = Math.max(1, recentTurns({ budgetTokens: 0, summaryTokens: 0, turnTokens: 1, policy }))
  const complete = Math.max(0, Math.floor((dialogue.starts.length - least) / blockTurns))
  const contentHash = contentHasher(hash)
  return Array.from({ length: complete }, (_, block) => {
    const turns = Array.from({ length: blockTurns }, (__, at) => block * blockTurns + at)
    const covered = turns.flatMap((turn) => dialogue.of(turn).flatMap((index) => ({ turn, item: items[index] })))
    const said = covered.flatMap(({ turn, item }) => (item === undefined ? [] : [{ turn, item }]))
    return {
      key: summaryKey(
        hash,
        said.map(({ item }) => contentHash(item)),
      ),
      itemIds: said.map(({ item }) => item.id),
      turns: said.flatMap(({ turn, item: { kind, role, text } }): readonly SummaryTurn[] =>
        kind === 'text' ? [{ turn: turn + 1, role: role === 'assistant' ? 'assistant' : 'user', text }] : [],
      ),
    }
  }).filter(({ turns }) => turns.length > 0)
}
