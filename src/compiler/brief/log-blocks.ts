import type { Hasher, Item, SummaryTurn } from '../../core/index.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { isAsked } from '../items/asked.ts'
import { contentHasher } from '../items/item-keys.ts'
import type { SummaryBlock } from '../summaries/summary-blocks.ts'
import { summaryKey } from '../summaries/summarist.ts'

/** A complete block of steps whose part of a brief's log a text by a model may replace. */
export interface LogBlock extends SummaryBlock {
  /** Ordinals of the block's calls. */
  readonly first: number
  readonly last: number
  /** Indexes of the model's own items and of the results, in order. */
  readonly indexes: readonly number[]
}

export interface LogBlocksInput {
  readonly items: readonly Item[]
  readonly hash: Hasher
}

/** About what the first and deciding sentences of as many steps take. */
const mostTokens = 300

/** Steps of a block. */
const blockSteps = 20

/**
 * The complete blocks of an agent's conversation, oldest first. A block depends on what its steps say and on nothing behind them, so that the
 * text of a block stands in the brief of every later compaction.
 */
export function logBlocks({ items, hash }: LogBlocksInput): readonly LogBlock[] {
  const steps = stepNumbers(items)
  const blocks = new Map<number, number[]>()
  items.forEach((item, index) => {
    if (item.section !== 'history') return
    const block = Math.floor(Math.max(0, (steps[index] ?? 0) - 1) / blockSteps)
    blocks.set(block, [...(blocks.get(block) ?? []), index])
  })
  const newest = Math.max(...blocks.keys())
  const contentHash = contentHasher(hash)
  return [...blocks]
    .filter(([block]) => block < newest)
    .map(([block, all]) => {
      const contents = all.flatMap((index) => items[index] ?? []).map(contentHash)
      const indexes = all.filter((index) => goes.has(items[index]?.kind) && !isAsked(items[index]))
      return {
        key: summaryKey(hash, contents),
        itemIds: indexes.flatMap((index) => items[index]?.id ?? []),
        turns: all.flatMap((index) => turnOf(items[index], steps[index] ?? 0)),
        mostTokens,
        first: block * blockSteps + 1,
        last: (block + 1) * blockSteps,
        indexes,
      }
    })
}

/**
 * Whether all items of a block are left out. Those at its beginning may stand: the first step of a conversation carries the brief.
 */
export function isLeftOut<Id>(ids: readonly Id[], leftOut: ReadonlySet<Id>): boolean {
  const from = ids.findIndex((id) => leftOut.has(id))
  return from !== -1 && ids.slice(from).every((id) => leftOut.has(id))
}

const goes: ReadonlySet<Item['kind'] | undefined> = new Set(['text', 'tool-call', 'tool-result'] as const)

/** Characters of a call and of a result that failed: the brief has views of files and a line of every failure. */
const mostCharacters = 300

function turnOf(item: Item | undefined, turn: number): readonly SummaryTurn[] {
  if (item === undefined) return []
  const { kind, text, toolName = 'tool', status } = item
  if (kind === 'text') return [{ turn, role: isAsked(item) ? 'user' : 'assistant', text }]
  const start = text.slice(0, mostCharacters).toWellFormed()
  if (kind === 'tool-call') return [{ turn, role: 'assistant', text: `Calls ${toolName}: ${start}` }]
  const hasFailed = kind === 'tool-result' && status === 'error'
  return hasFailed ? [{ turn, role: 'assistant', text: `${toolName} failed: ${start}` }] : []
}
