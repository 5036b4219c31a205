import type { GivenSummary, Hasher, Item, Summary, SummaryMode, SummaryPolicy, SummaryTurn } from '../../core/index.ts'
import { extractTurns, foldSummaries, lineText, mustStay } from '../../ladders/index.ts'
import { handleFrom } from '../items/item-keys.ts'
import type { Dialogue } from './dialogue.ts'
import { turnsOfBlock } from './segments.ts'
import type { Segment } from './segments.ts'
import { summaryLines, summaryText } from './summary-text.ts'

/** A summary that may stand in place of some items. */
export interface MadeSummary {
  /** Indexes of the items that it stands for, in order. */
  readonly covered: readonly number[]
  /** Names what was said. */
  readonly key: string
  readonly handle: string
  readonly text: string
  /** The same without what stands around it. */
  readonly lines: readonly string[]
  readonly tokens: number
  /** What the items take as they came. */
  readonly sourceTokens: number
}

/** What stands before the newest turns of a payload's conversation. */
export interface PayloadSummary {
  readonly text: string
  readonly made: readonly MadeSummary[]
}

export interface SummaristParts {
  readonly items: readonly Item[]
  readonly tokens: ArrayLike<number>
  readonly dialogue: Dialogue
  readonly policy: SummaryPolicy
  readonly hash: Hasher
  readonly handleKey: string
  /** Whether handles can be followed. */
  readonly rehydration: boolean
  /** What others have written, see `GivenSummary`. */
  readonly given?: readonly GivenSummary[] | undefined
  /** What has been made before, by this function. */
  readonly memo: SummaryMemo
  contentHash(index: number): string
  count(text: string): number
}

/** Remembers summaries between compiles; what is made does not depend on it. */
export interface SummaryMemo {
  get(name: string, make: () => Summary): Summary
}

/** Summaries that are remembered at once. */
const mostKnown = 4096

export function summaryMemo(): SummaryMemo {
  const known = new Map<string, Summary>()
  return {
    get(name, make) {
      const made = known.get(name) ?? make()
      if (known.size >= mostKnown) known.clear()
      known.set(name, made)
      return made
    },
  }
}

const usual = { keepRatio: 0.3, leastTokens: 80, mostTokens: 2000, bullets: 5, foldBlocks: 5 } as const

/** The policy, with summaries that leave at least half of a budget to what was said last. */
export function withinBudget(policy: SummaryPolicy, budgetTokens: number): SummaryPolicy {
  const most = Math.max(1, Math.min(policy.mostTokens ?? usual.mostTokens, Math.floor(budgetTokens / 2)))
  return { ...policy, mostTokens: most, leastTokens: Math.min(most, policy.leastTokens ?? usual.leastTokens) }
}

/** Names what was said in some items, in their order. */
export function summaryKey(hash: Hasher, contentHashes: readonly string[]): string {
  return hash(['prehend.summary/1', ...contentHashes].join('\n'))
}

/**
 * Makes the summary of a segment. Pure: of the same turns the same bytes. Undefined where it has nothing to stand for, and where it would be
 * as long as that.
 */
export function summarist(parts: SummaristParts): (segment: Segment, mode: SummaryMode) => MadeSummary | undefined {
  const { policy, hash, handleKey, rehydration, memo, count } = parts
  const source = sourceOf(parts)
  const given = new Map(parts.given?.map(({ key, prose }) => [key, prose]))
  const settings = JSON.stringify(policy)
  return (segment, mode) => {
    const covered = source.coveredBy(segment)
    if (covered.length === 0) return undefined
    const key = summaryKey(hash, covered.map(parts.contentHash))
    const prose = given.get(key)
    // Compression may change what an item takes while its text stays, and with it how long a summary may be.
    const sizes = covered.map((index) => parts.tokens[index]).join(' ')
    const name = `${key} ${segment.first} ${segment.blocks} ${mode} ${settings} ${sizes}`
    const summary =
      prose === undefined
        ? memo.get(name, () => extracted(source, segment, mode))
        : { ...bounded(mustStay(source.saidIn(segment)), parts), prose }
    const handle = handleFrom(hash, handleKey, key)
    const sourceTokens = source.tokensOf(covered)
    const blockTurns = turnsOfBlock(policy)
    const head = {
      first: segment.first * blockTurns + 1,
      last: (segment.first + segment.blocks) * blockTurns,
      tokens: sourceTokens,
      handle: rehydration ? handle : undefined,
      bullets: mode === 'rolling',
    }
    const text = summaryText(summary, head)
    const tokens = count(text)
    if (tokens >= sourceTokens) return undefined
    return { covered, key, handle, text, lines: summaryLines(summary, head), tokens, sourceTokens }
  }
}

/** What segments stand for. */
interface Source {
  readonly parts: SummaristParts
  coveredBy(segment: Segment): readonly number[]
  tokensOf(covered: readonly number[]): number
  saidIn(segment: Segment): readonly SummaryTurn[]
}

function sourceOf(parts: SummaristParts): Source {
  const { items, tokens, dialogue } = parts
  const blockTurns = turnsOfBlock(parts.policy)
  const turnsIn = ({ first, blocks }: Segment): readonly number[] =>
    Array.from({ length: blocks * blockTurns }, (_, at) => first * blockTurns + at)
  return {
    parts,
    coveredBy: (segment) => turnsIn(segment).flatMap(dialogue.of),
    tokensOf: (covered) => covered.reduce((sum, index) => sum + (tokens[index] ?? 0), 0),
    saidIn: (segment) =>
      turnsIn(segment).flatMap((turn) => dialogue.of(turn).flatMap((index) => saidBy(items[index], turn + 1))),
  }
}

function extracted(source: Source, segment: Segment, mode: SummaryMode): Summary {
  if (mode === 'rolling') return rolling(source, segment)
  return mode === 'pyramid' ? ofLevel(source, segment) : quoted(source, segment)
}

function quoted(source: Source, segment: Segment): Summary {
  const { parts } = source
  const turns = source.saidIn(segment)
  const fullTokens = source.tokensOf(source.coveredBy(segment))
  return extractTurns(turns, { targetTokens: targetOf(fullTokens, mustStay(turns), parts), count: parts.count })
}

/** Each block in its turn is folded into what was before. */
function rolling(source: Source, { first, blocks }: Segment): Summary {
  const { count, policy } = source.parts
  const { bullets = usual.bullets, mostTokens: targetTokens = usual.mostTokens } = policy
  let state: Summary = { lines: [], tables: [] }
  for (let at = 0; at < blocks; at += 1) {
    const next = quoted(source, { first: first + at, blocks: 1 })
    state = foldSummaries([state, next], { targetTokens, count, bullets })
  }
  return state
}

/** Of the first level what blocks come to, of each other what the summaries below come to. */
function ofLevel(source: Source, segment: Segment): Summary {
  const { foldBlocks = usual.foldBlocks } = source.parts.policy
  if (segment.blocks === 1) return quoted(source, segment)
  const blocks = segment.blocks / foldBlocks
  const below = Array.from({ length: foldBlocks }, (_, at) =>
    ofLevel(source, { first: segment.first + at * blocks, blocks }),
  )
  return folded(below, source.parts)
}

/** So that a full level takes no more than a summary may. */
function levelTokens({ mostTokens = usual.mostTokens, foldBlocks = usual.foldBlocks }: SummaryPolicy): number {
  return Math.max(usual.leastTokens, Math.floor(mostTokens / (foldBlocks - 1)))
}

function folded(summaries: readonly Summary[], parts: SummaristParts): Summary {
  const fullTokens = summaries.reduce((sum, one) => sum + lengthOf(one, parts), 0)
  const lines = summaries.flatMap((one) => one.lines.filter(({ mark, role }) => mark !== undefined && role === 'user'))
  const most = levelTokens(parts.policy)
  const targetTokens = Math.min(most, targetOf(fullTokens, { lines, tables: [] }, parts))
  return foldSummaries(summaries, { targetTokens, count: parts.count })
}

function saidBy(item: Item | undefined, turn: number): readonly SummaryTurn[] {
  if (item?.kind !== 'text') return []
  return [{ turn, role: item.role === 'assistant' ? 'assistant' : 'user', text: item.text }]
}

function lengthOf({ lines, tables }: Summary, { count }: SummaristParts): number {
  const words = lines.reduce((sum, line) => sum + count(lineText(line)) + 1, 0)
  return tables.reduce((sum, table) => sum + count(table), words)
}

/** A share of what was said, but room enough for what must stay, and never more than the most. */
function targetOf(fullTokens: number, must: Summary, parts: SummaristParts): number {
  const { keepRatio = usual.keepRatio, leastTokens = usual.leastTokens, mostTokens = usual.mostTokens } = parts.policy
  return Math.min(mostTokens, Math.max(Math.ceil(keepRatio * fullTokens), leastTokens, lengthOf(must, parts)))
}

function bounded(must: Summary, parts: SummaristParts): Summary {
  const { mostTokens = usual.mostTokens } = parts.policy
  return foldSummaries([must], { targetTokens: mostTokens, count: parts.count })
}
