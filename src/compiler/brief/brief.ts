import type { BriefInput } from './brief-input.ts'
import { failuresOf } from './failures.ts'
import { fileWork } from './file-work.ts'
import type { FileWork } from './file-work.ts'
import { fileList } from './files.ts'
import { callsIn } from './gone-calls.ts'
import { titles } from './harmless.ts'
import { worthyLines } from './lines.ts'
import { logOf } from './log.ts'
import { outlinesOf } from './outlines.ts'
import { Room } from './room.ts'
import { taskLines } from './tasks.ts'
import { viewsOf } from './views.ts'

export type { BriefInput, WrittenLog } from './brief-input.ts'

/**
 * What a model must still know of steps that it will not see any more: a log that only grows, and behind it what is true now. Pure: of the
 * same items the same text.
 */
export function briefOf(input: BriefInput): string {
  const { budgets, count, gone } = input
  if (gone.length === 0) return ''
  const calls = callsIn(input)
  const failures = failuresOf(calls, input)
  const works = fileWork(input, calls)
  const atWork = worksWithin(works, budgets.viewSteps, input)
  const log = logOf(input, failures)
  const views = viewsOf(atWork, new Room(budgets.views, count))
  const tasks = taskLines(atWork, { calls, views, room: new Room(budgets.tasks, count) })
  const outlines = outlinesOf(works, new Set(views.map(({ path }) => path)), new Room(budgets.outlines, count))
  const steps = calls.filter(({ isGone, isHidden }) => isGone && !isHidden).length
  const files = fileList(works)
  const parts = [
    `${counted(works.length, 'file')}, ${counted(failures.size, 'failure')}, ${counted(steps, 'step')}`,
    ...log,
    ...section(titles.files, files),
    ...views.map(({ text }) => text),
    ...section(titles.tasks, tasks),
    ...section(titles.outlines, outlines),
  ]
  const shown = parts.join('\n')
  const lines = worthyLines(input, { calls, works, shown, room: new Room(budgets.lines, count) })
  return [shown, ...section(titles.lines, lines)].join('\n').toWellFormed()
}

/** Files that were read, changed or fetched within some steps of the end of what is gone. */
function worksWithin(works: readonly FileWork[], within: number, { steps, gone }: BriefInput): readonly FileWork[] {
  const last = steps[gone.at(-1) ?? -1] ?? 0
  return works.filter(({ deeds, fetched = 0 }) => Math.max(deeds.at(-1)?.step ?? 0, fetched) > last - within)
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines]
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
