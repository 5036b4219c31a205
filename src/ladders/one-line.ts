import type { Item, LadderContext } from '../core/index.ts'
import type { FailureReport } from './failure.ts'
import { writeMarker } from './marker-grammar.ts'

export interface OneLineOptions {
  readonly item: Item
  readonly context: LadderContext
  readonly lines: readonly string[]
  readonly report: FailureReport
  readonly originalTokens: number
}

/**
 * `[Tool: name - status, n tokens, step i]` and the call that brings the result back; of a failed call, also its
 * first and last error line, verbatim.
 */
export function oneLine({ item, context, lines, report, originalTokens }: OneLineOptions): string {
  const name = plainName(item.toolName)
  const { step, handle } = context
  const exit = report.exitStatus === 0 ? undefined : report.exitStatus
  const withStep = step === undefined ? '' : '-step'
  const values = { name, tokens: originalTokens, step: step ?? 0, exit: exit ?? 0, handle }
  const form = statusOf(item, report, context) === 'ok' ? (`tool-ok${withStep}` as const) : failedForm(withStep, exit)
  return [writeMarker(form, values), ...errorLines(lines, report)].join('\n')
}

function failedForm<Step extends '' | '-step'>(withStep: Step, exit: number | undefined) {
  return exit === undefined ? (`tool-error${withStep}` as const) : (`tool-error${withStep}-exit` as const)
}

/** `error` where the caller, the exit status or the text says so; what our own tool brought back has not failed by its words. */
export function statusOf(item: Item, report: FailureReport, { hiddenTools }: LadderContext): 'ok' | 'error' {
  if (item.toolName !== undefined && hiddenTools?.includes(item.toolName) === true) return item.status ?? 'ok'
  return item.status === 'error' || report.failed ? 'error' : 'ok'
}

/** Names come from the wire: one line, no brackets, bounded. */
function plainName(name: string | undefined): string {
  const plain = (name ?? 'tool').replace(/[^\p{L}\p{N}_.:/-]+/gu, '_').slice(0, 80)
  return plain === '' ? 'tool' : plain
}

const maxErrorLine = 400

/** The first and the last two lines that state an error; bare exit lines are already in the head. */
function errorLines(lines: readonly string[], report: FailureReport): readonly string[] {
  const stating = report.lines.filter((index) => {
    const line = (lines[index] ?? '').slice(0, 200)
    return line.trim() !== '' && !/^\s*<\w+>-?\d+<\/\w+>\s*$/.test(line) && !/Traceback \(most recent/.test(line)
  })
  const chosen = stating.length <= 3 ? stating : [stating[0] ?? 0, ...stating.slice(-2)]
  return chosen.map((index) => clipped(lines[index] ?? ''))
}

function clipped(line: string): string {
  if (line.length <= maxErrorLine) return line
  const end = line.charCodeAt(maxErrorLine - 1)
  return `${line.slice(0, end >= 0xd800 && end <= 0xdbff ? maxErrorLine - 1 : maxErrorLine)} […]`
}
