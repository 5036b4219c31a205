import type { Item, LadderContext } from '../core/index.ts'
import { settledLine } from './clean-text.ts'
import type { FailureReport } from './failure.ts'
import type { FailureBlock } from './failure-reading.ts'
import { doubtfulLine } from './doubtful-line.ts'
import { mailSubject } from './kind-mail.ts'
import type { ToolStatus } from './marker.ts'
import { writeMarker } from './marker-grammar.ts'

export interface OneLineOptions {
  readonly item: Item
  readonly context: LadderContext
  readonly lines: readonly string[]
  readonly report: FailureReport
  readonly originalTokens: number
}

/**
 * `[Tool: name - status, n tokens, step i]` and the call that brings the result back; where it states failures, also the first
 * of them with its name and its place, verbatim, what the next few say, and how many there are or how the last one reads. Of a mail
 * what it is about: a call names it by a number.
 */
export function oneLine({ item, context, lines, report, originalTokens }: OneLineOptions): string {
  const { step = 0, handle } = context
  const name = plainName(item.toolName)
  const exit = report.exitStatus === 0 ? undefined : report.exitStatus
  const values = { name, tokens: originalTokens, step, exit: exit ?? 0, failures: report.stated, handle }
  const status = statusOf(item, report, context)
  const form = formOf(status, context.step === undefined ? '' : '-step', {
    exit,
    failures: report.stated,
  })
  const about = mailSubject(lines)
  const doubtful = status === 'ok' && about === undefined ? doubtfulLine(lines) : undefined
  const said = [about, doubtful].flatMap((line) => (line === undefined ? [] : [clipped(line)]))
  const told = [...said, ...failureLines(lines, report)]
  return [writeMarker(form, values), ...told].join('\n')
}

interface Ended {
  readonly exit: number | undefined
  readonly failures: number
}

function formOf<Step extends '' | '-step'>(status: ToolStatus, withStep: Step, { exit, failures }: Ended) {
  if (status === 'ok') return `tool-ok${withStep}` as const
  if (status === 'reported')
    return failures === 1 ? (`tool-reported-one${withStep}` as const) : (`tool-reported${withStep}` as const)
  return exit === undefined ? (`tool-error${withStep}` as const) : (`tool-error${withStep}-exit` as const)
}

/**
 * `error` where the caller, the exit status or the text says so, `reported` where the command ended well and tells of failures
 * all the same; what our own tool brought back has not failed by its words.
 */
export function statusOf(item: Item, report: FailureReport, { hiddenTools }: LadderContext): ToolStatus {
  if (item.toolName !== undefined && hiddenTools?.includes(item.toolName) === true) return item.status ?? 'ok'
  if (item.status === 'error' || report.failed) return 'error'
  return report.stated > 0 ? 'reported' : 'ok'
}

/** Names come from the wire: one line, no brackets, bounded. */
export function plainName(name: string | undefined): string {
  const plain = (name ?? 'tool').replace(/[^\p{L}\p{N}_.:/-]+/gu, '_').slice(0, 80)
  return plain === '' ? 'tool' : plain
}

const longestLine = 500
const mostOfFirst = 6
const mostOfLast = 3
/** As many failures are all named. */
const fewBlocks = 4

/** The first failure, and the line that counts them or else the last one; bare exit lines are already in the head. */
function failureLines(lines: readonly string[], { blocks, summary }: FailureReport): readonly string[] {
  const first = blocks.find(({ detailed }) => detailed) ?? blocks[0]
  const last = blocks.at(-1)
  const end = summary !== undefined ? [summary] : last === undefined || last === first ? [] : shortest(last, mostOfLast)
  const isLastTold = summary === undefined
  const middle =
    blocks.length > fewBlocks ? [] : blocks.filter((block) => block !== first && !(isLastTold && block === last))
  const between = middle.map(({ message }) => message)
  const why = first === undefined && summary !== undefined ? reasonBelow(lines, summary) : []
  const chosen = [...(first === undefined ? [] : shortest(first, mostOfFirst)), ...between, ...end, ...why]
  const told = [...new Set(chosen)].map((at) => clipped(settledLine(lines[at] ?? '')))
  return [...new Set(told)].filter((line) => line.trim() !== '')
}

/** Where only a line that counts was found, the next one may say what is wrong. */
function reasonBelow(lines: readonly string[], summary: number): readonly number[] {
  const next = lines.findIndex((line, at) => at > summary && line.trim() !== '')
  return next === -1 || !/\p{L}{3}/u.test(lines[next] ?? '') || /^\s*<\//.test(lines[next] ?? '') ? [] : [next]
}

/** The most telling lines of a failure, in the order of the text. */
function shortest({ lines }: FailureBlock, most: number): readonly number[] {
  return lines.slice(0, most).toSorted((a, b) => a - b)
}

function clipped(line: string): string {
  if (line.length <= longestLine) return line
  const end = line.charCodeAt(longestLine - 1)
  return `${line.slice(0, end >= 0xd800 && end <= 0xdbff ? longestLine - 1 : longestLine)} […]`
}
