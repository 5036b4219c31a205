import type { ContentKind } from './content-kind.ts'
import { failureBlocks } from './failure-blocks.ts'
import { countFailures } from './failure-count.ts'
import { findExit, mayStateExit } from './failure-exit.ts'
import { failedRows, jsonFailure, tellingLines } from './failure-json.ts'
import { indentOf, plainLine, plainPiece } from './failure-line.ts'
import { withoutQuotes } from './failure-quotes.ts'
import { failedCells, isNotebook } from './notebook.ts'
import type { FailureBlock, Reading } from './failure-reading.ts'
import type { FailureRole } from './failure-role.ts'
import { failureRole, mayStateFailure, roleOfPlain } from './failure-role.ts'
import { pinnedLines, worthTelling } from './failure-pins.ts'
import { tellOfOthers, toldStates } from './failure-told.ts'
import { withRecordNames } from './record-names.ts'
import { textLines } from './text-lines.ts'

/** What a tool result says about its own success. */
export interface FailureReport {
  readonly failed: boolean
  /** Failures that it states, as it counts them itself where it does; 0 where it states none. */
  readonly stated: number
  /** As the result states it; absent where it does not. */
  readonly exitStatus?: number
  /** The line (from 0) that states the exit status. */
  readonly exitLine?: number
  /** Lines (from 0) that state a failure, with its name, its place, and an exit other than 0; always shown. */
  readonly lines: readonly number[]
  /** The failures, each told in full by its lines, those that say most first where one is told several times. */
  readonly blocks: readonly FailureBlock[]
  /** The line that counts them. */
  readonly summary?: number
}

/** What a text says that states none. */
export const noFailure: FailureReport = { failed: false, stated: 0, lines: [], blocks: [] }

/** False where no line of a text states a failure or an exit: one look instead of one a line. */
export function mayState(text: string): boolean {
  return mayStateFailure(text) || mayStateExit(text)
}

/** Whether a line states a failure by itself. */
export function statesFailure(line: string): boolean {
  const role = failureRole(line)
  return role !== undefined && role !== 'heading'
}

/**
 * Tells from a tool result's lines whether the call failed: by the exit status where one is stated, else by lines that
 * state a failure. `text` is what was split into them, where lines were parted that the text does not part.
 */
export function detectFailure(
  lines: readonly string[],
  kind: ContentKind,
  text: string = lines.join('\n'),
): FailureReport {
  const exit = findExit(lines)
  const ended = exit === undefined ? {} : { exitStatus: exit.status, exitLine: exit.line }
  const found = kind === 'json' ? inDocument(lines, text) : inText(lines, kind, exit !== undefined && exit.status !== 0)
  const { blocks, summary, pins, stated, flagged } = found
  const failed = exit === undefined ? flagged : exit.status !== 0
  const all = exit !== undefined && failed ? [...new Set([...pins, exit.line])] : pins
  const told = summary === undefined ? {} : { summary }
  return { failed, stated, ...ended, lines: all.toSorted((a, b) => a - b), blocks, ...told }
}

interface Found {
  readonly blocks: readonly FailureBlock[]
  readonly pins: readonly number[]
  readonly stated: number
  readonly summary?: number
  /** Whether it has failed where no exit status says otherwise. */
  readonly flagged: boolean
}

const nothing: Found = { blocks: [], pins: [], stated: 0, flagged: false }

function inText(lines: readonly string[], kind: ContentKind, endedBadly: boolean): Found {
  const plain = lines.map(plainLine)
  const roles = withHeadlines(plain, plain.map(roleOfPlain))
  const found = ofReading({ lines: plain, roles: endedBadly ? roles : withoutQuotes(lines, roles, kind) })
  const told = found.blocks.map(({ message }) => lines[message] ?? '')
  return { ...found, flagged: found.flagged && !tellOfOthers(told, lines, kind) }
}

function ofReading(reading: Reading): Found {
  const blocks = worthTelling(reading, failureBlocks(reading))
  const summary = reading.roles.findLastIndex((role) => role === 'summary')
  if (blocks.length === 0 && summary === -1) return nothing
  const pins = pinnedLines(reading, blocks)
  const stated = Math.max(1, countFailures(reading, blocks))
  return { blocks, pins, stated, ...(summary === -1 ? {} : { summary }), flagged: true }
}

/** Compilers draw an arrow to the place below what they say; what they say need not hold the word error. */
function withHeadlines(
  lines: readonly string[],
  roles: readonly (FailureRole | undefined)[],
): readonly (FailureRole | undefined)[] {
  return roles.map((role, at) => {
    if (role === undefined && /^\S+\.go:\d+:\d+: \S/.test(lines[at] ?? '') && underPackage(lines, at)) return 'certain'
    if (role === undefined && outcome.test(lines[at] ?? '') && underStep(lines, at)) return 'message'
    if (role !== undefined || !/^\s*(?:-->|╭─\[|,-\[) ?\S/.test(lines[at + 1] ?? '')) return role
    return /^\s*(?:warning|note|help|info|hint|⚠|[|│·])|^\s*$/i.test(lines[at] ?? '') ? role : 'certain'
  })
}

/** Go names the package, and then only where and what. */
function underPackage(lines: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 12); before--) {
    if (/^# \S+(?: \[\S+\])?$/.test(lines[before] ?? '')) return true
    if (!/^(?:\S+\.go:\d+:\d+: |\s)/.test(lines[before] ?? '')) return false
  }
  return false
}

/** What a script writes below the name of what it has tried, where that has gone wrong. */
const outcome = /^\s{1,12}(?:(?:Error|ERROR): \S|[A-Z]\w{0,60}(?:Error|Exception)(?:: \S|\s*$))/
/** How it names what it tries. */
const step = /:$|^\s*(?:test|testing|case|step|input|trying|running|checking)\b/i
/** Documentation has the same form. */
const documented = /\b(?:raises|throws|errors?|exceptions?|returns)\b.{0,20}:$/i

function underStep(lines: readonly string[], at: number): boolean {
  const indent = indentOf(lines[at] ?? '')
  for (let before = at - 1; before >= Math.max(0, at - 3); before--) {
    const line = lines[before] ?? ''
    if (line.trim() === '') return false
    if (indentOf(line) < indent) return step.test(line) && !documented.test(line)
  }
  return false
}

/** Of JSON: what its outermost fields say; its strings only where they are what a command printed. */
function inDocument(lines: readonly string[], text: string): Found {
  const cells = isNotebook(lines) ? failedCells(lines) : []
  if (cells.length > 0) return failedIn(cells)
  const document = jsonFailure(text)
  if (document === undefined) return inText(lines, 'json', false)
  if (!document.looked) return document.failed ? flaggedOnly(lines) : listed(lines, text)
  const plain = lines.map(plainPiece)
  const read = ofReading({ lines: plain, roles: withHeadlines(plain, plain.map(roleOfPlain)) })
  if (!document.failed) return document.printed ? read : nothing
  const own = flaggedOnly(lines)
  const blocks = [...read.blocks, ...own.blocks]
  return {
    ...read,
    blocks,
    pins: [...new Set([...own.pins, ...read.pins])],
    stated: Math.max(1, read.stated),
    flagged: true,
  }
}

/** What a document that lists things tells of those that have failed, each with the line that names it; the document has not. */
function listed(lines: readonly string[], text: string): Found {
  const states = [...new Set([...toldStates(lines), ...failedRows(lines)])].toSorted((a, b) => a - b)
  if (states.length === 0) return nothing
  const split = textLines(text)
  const blocks = states.map((message): FailureBlock => {
    const alone = Uint8Array.from(split.lines, (_, at) => Number(at === message))
    const named = split.lines.length === lines.length ? withRecordNames(split, alone) : alone
    return { lines: Array.from(named.keys()).filter((at) => named[at] === 1), message, detailed: true }
  })
  return { blocks, pins: blocks.flatMap((block) => block.lines), stated: blocks.length, flagged: false }
}

/** What cells of a notebook have come to; whoever asked for the notebook got it. */
function failedIn(cells: readonly (readonly number[])[]): Found {
  const blocks = cells.map((lines): FailureBlock => ({ lines, message: lines[0] ?? 0, detailed: true }))
  return { blocks, pins: [...new Set(cells.flat())], stated: cells.length, flagged: false }
}

function flaggedOnly(lines: readonly string[]): Found {
  const telling = tellingLines(lines)
  const [message] = telling
  const blocks = message === undefined ? [] : [{ lines: telling, message, detailed: true }]
  return { blocks, pins: telling, stated: 1, flagged: true }
}
