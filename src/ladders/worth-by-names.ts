import type { ConversationContext, Item, Rendition } from '../core/index.ts'
import { perObject } from '../core/index.ts'
import { chooseLines, chooseWithin } from './choose-lines.ts'
import type { ContentKind } from './content-kinds.ts'
import { withDenials } from './denying-lines.ts'
import { foldRuns } from './fold-runs.ts'
import type { OpenRun, Run } from './fold-runs.ts'
import { blobName } from './kind-blob.ts'
import type { LadderOptions } from './ladder-options.ts'
import { askedOf, lineValues } from './line-values.ts'
import { foldMarker } from './marker.ts'
import { oneLine } from './one-line.ts'
import type { Draft } from './renditions.ts'
import { isStructuredLine } from './structured-line.ts'
import { tableDrafts } from './table-drafts.ts'
import { factReader } from './text-facts.ts'
import type { TextFacts } from './text-facts.ts'
import { charactersOf, lengthOf } from './text-lines.ts'
import type { TextLines } from './text-lines.ts'
import { trimLines } from './trim-lines.ts'

/*
 * How a result or a call that a conversation has moved on from may be shown: what its lines are worth is told by the names
 * in them that nothing else shows.
 */

const foldTokens = 14

/** Whether the item may be shortened, and not only refer to what is shown. */
export function isThinned({ conversation }: LadderOptions): boolean {
  return conversation?.visible !== undefined
}

/** Whether all that is left to find is what says the same in less. */
function mayNotLose({ conversation }: LadderOptions): boolean {
  return conversation?.mayLose === false
}

/** A result with its less useful lines folded away, and as one line where the policy goes so far or no line is worth more. */
export function thinnedResult(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  if (mayNotLose(context)) return []
  const view = viewOf(item, full, context)
  if (view.facts.text.kind === 'blob') return oneLineResult(item, view, context)
  const table = tableResult(item, view, context)
  if (table !== undefined) return [...table, ...oneLineResult(item, view, context)]
  const trimmed = [...trimmedResult(view, context), ...gradedResult(view, context)]
  const dearestFirst = trimmed.toSorted((a, b) => b.text.length - a.text.length)
  return [...dearestFirst, ...oneLineResult(item, view, context)]
}

/** Of a very long text also what is asked for. */
function aboutAsked(read: TextFacts, conversation: ConversationContext | undefined): TextFacts {
  const asked = read.about && conversation && askedOf(read, conversation)
  return (asked && read.about?.(asked)) ?? read
}

interface View {
  readonly facts: TextFacts
  /** Tokens of the item as it came. */
  readonly fullTokens: number
  /** Expected later uses that a line must have per token. */
  readonly lineWorth: number
  /** Expected later uses of each line. */
  readonly values: Float32Array
  readonly tokens: Float32Array
}

function viewOf(item: Item, { tokens: fullTokens }: Rendition, { facts, conversation }: LadderOptions): View {
  const reader = facts ?? factReader()
  // What a call folds are runs of all its lines.
  const read =
    item.kind === 'tool-call' ? reader.ofWhole(item.text) : aboutAsked(reader.ofText(item.text), conversation)
  return {
    facts: read,
    fullTokens,
    lineWorth: conversation?.lineWorth ?? 1,
    values: lineValues(item, read, conversation),
    tokens: lineTokens(read.text, conversation?.pricesCharacters === true ? undefined : fullTokens),
  }
}

function trimmedResult(view: View, { count, handle }: LadderOptions): readonly Draft[] {
  const { facts, fullTokens, values, tokens, lineWorth } = view
  const keep = chooseLines({ values, tokens, markerTokens: foldTokens, price: lineWorth })
  if (keep.every((kept) => kept === 0)) return []
  const { text, folds, says } = trimLines({ text: facts.text, keep, handle })
  if (folds.length === 0 || !says) return []
  return [{ rung: 'trimmed', text, fidelity: count(text) / Math.max(1, fullTokens), handle }]
}

/** A table at the shares that are asked for, and as its figures; undefined where none are asked for or it is none. */
function tableResult({ text }: Item, view: View, context: LadderOptions): readonly Draft[] | undefined {
  const { shares = [] } = context.conversation ?? {}
  if (shares.length === 0) return undefined
  const { kind } = view.facts.text
  return tableDrafts({ text, kind, values: view.values, tokens: view.fullTokens, shares, context })
}

/** The result at the shares that are asked for; where no name tells lines apart, heads and tails stay. */
function gradedResult(view: View, { count, handle, conversation }: LadderOptions): readonly Draft[] {
  const { shares = [] } = conversation ?? {}
  if (shares.length === 0) return []
  const { facts, fullTokens, tokens } = view
  const middle = Math.max(1, (view.values.length - 1) / 2)
  const { lines, kind } = facts.text
  const values = withDenials(view.values, lines, kind).map((value, index) => {
    const own = kind === 'prose' && isStructuredLine(lines[index] ?? '') ? structuredLine : anyLine
    return value + own * (0.5 + (0.5 * Math.abs(index - middle)) / middle)
  })
  return shares.flatMap((share) => {
    const keep = chooseWithin({ values, tokens, markerTokens: foldTokens }, share * fullTokens)
    const { text, folds, says } = trimLines({ text: facts.text, keep, handle })
    const [first] = folds
    // What is shorter than the marker beside it is a leftover, and no extract.
    const least = first === undefined ? 0 : 2 * foldMarker(first).length
    if (first === undefined || !says || text.length < least) return []
    return [{ rung: 'trimmed' as const, text, fidelity: count(text) / Math.max(1, fullTokens), handle }]
  })
}

/** Worth of a line of which nothing is known. */
const anyLine = 0.002
/** Of an item of a list or a pair, which says in short what prose would say at length. */
const structuredLine = 0.01

function oneLineResult(item: Item, view: View, context: LadderOptions): readonly Draft[] {
  const { kind } = view.facts.text
  const expendable = kind === 'blob' || !somethingWorthKeeping(view)
  if (context.conversation?.lowestRung !== 'line' && !expendable) return []
  const { lines } = view.facts.text
  const report = view.facts.failure()
  const text = oneLine({ item: named(item, kind), context, lines, report, originalTokens: view.fullTokens })
  return [{ rung: 'line', text, fidelity: 0.05, handle: context.handle, ...(expendable ? { expendable } : {}) }]
}

/** A blob is named by what it is; there is nothing else to say about it. */
export function named(item: Item, kind: ContentKind): Item {
  return kind === 'blob' ? { ...item, toolName: `${item.toolName ?? 'tool'}:${blobName(item.text)}` } : item
}

function somethingWorthKeeping({ values, tokens, lineWorth }: View): boolean {
  return values.some((value, index) => value >= lineWorth * ((tokens[index] ?? 0) + foldTokens))
}

/** Characters of a token as o200k counts most texts. */
const usualToken = 4

/**
 * Tokens of each line, by its share of the text's; exact enough to choose by. Without these by its characters alone, so that all tokenizers choose
 * alike.
 */
function lineTokens(text: TextLines, total: number | undefined): Float32Array {
  const perCharacter = total === undefined ? 1 / usualToken : total / Math.max(1, charactersOf(text))
  const tokens = new Float32Array(text.lines.length)
  for (let at = 0; at < tokens.length; at += 1) tokens[at] = (lengthOf(text, at) + 1) * perCharacter
  return tokens
}

const headLines = 4
const tailLines = 2

/** A call with its long strings folded: head, tail, definitions and names that nothing else shows stay. */
export function thinnedCall(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  if (mayNotLose(context)) return []
  const { handle, count, conversation } = context
  const callTokens = conversation?.callTokens ?? 0
  const runs = (context.facts ?? factReader()).longRuns(item.text, callTokens, count)
  const inside = runs.map(({ first, last, literal }) => ({ first: first + headLines, last: last - tailLines, literal }))
  const folds = inside.length === 0 ? [] : foldsWithin(viewOf(item, full, context), inside, conversation?.spent)
  if (folds.length === 0) return []
  const text = foldRuns(item.text, folds, handle)
  return [{ rung: 'trimmed', text, fidelity: count(text) / Math.max(1, full.tokens), handle }]
}

/** The runs of lines, among those that may go, that are not worth their tokens. */
function foldsWithin(
  { facts, values, tokens, lineWorth }: View,
  open: readonly OpenRun[],
  spent: ConversationContext['spent'],
): readonly Run[] {
  const { lines } = facts.text
  const said = saidLines(lines)
  const kept = new Float32Array(lines.length).fill(1)
  for (const { first, last, literal } of open) {
    const isSpent = spent?.(decoded(literal))
    for (let line = first; line <= last; line++) {
      if (isSpent === undefined) kept[line] = values[line] ?? 0
      else if (isSpent(said[line] ?? '')) kept[line] = 0
    }
  }
  return runsOf(chooseLines({ values: kept, tokens, markerTokens: foldTokens, price: lineWorth }))
}

/** What a string literal says; nothing where it is none. */
function decoded(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return ''
  }
}

/** What each piece of string literals says; read once for as long as somebody knows the lines. */
const saidLines = perObject((lines: readonly string[]): readonly string[] => lines.map(lineOf))

/** The line that a piece of a string literal says, without the break that ends it. */
function lineOf(piece: string): string {
  return piece.includes('\\') ? decoded(`"${piece}"`).replace(/\n$/, '') : piece
}

/** Runs of lines that a mask leaves out. */
function runsOf(keep: Uint8Array): readonly Run[] {
  const runs: Run[] = []
  for (let line = 0; line < keep.length; line++) {
    if (keep[line] === 1) continue
    const first = line
    while (line + 1 < keep.length && keep[line + 1] !== 1) line++
    runs.push({ first, last: line })
  }
  return runs
}
