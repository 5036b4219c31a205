import { taskListOf } from '../items/task-list.ts'
import { headingsIn } from './definitions.ts'
import type { FileWork } from './file-work.ts'
import { toolOf } from './gone-calls.ts'
import type { GoneCall } from './gone-calls.ts'
import { harmless } from './harmless.ts'
import type { Room } from './room.ts'
import { heading } from './views.ts'
import type { View } from './views.ts'

interface Given {
  readonly calls: readonly GoneCall[]
  /** What they show already is not shown again. */
  readonly views: readonly View[]
  readonly room: Room
}

/** Open tasks: the newest list of a tool for tasks, and the open boxes of plan files with their headings. */
export function taskLines(works: readonly FileWork[], { calls, views, room }: Given): readonly string[] {
  const parts: string[] = []
  const list = newestList(calls)
  if (list !== undefined) {
    const text = fitting(list, room)
    if (text !== undefined) parts.push(text)
  }
  for (const work of works.toReversed()) {
    const shown = views.find(({ path }) => path === work.path)?.rows
    const text = fitting(openBoxes(work, shown), room)
    if (text !== undefined) parts.push(text)
  }
  return parts
}

/** As many lines, from the first on, as have room, up to a box; the first line stands over the others. */
function fitting(lines: readonly string[], room: Room): string | undefined {
  for (let most = lines.length; most > 1; most = Math.floor(most * 0.7)) {
    const last = lines.slice(0, most).findLastIndex((line) => anyBox.test(line))
    if (last === -1) return undefined
    const cut = last < lines.length - 1 ? ['…'] : []
    const text = [...lines.slice(0, last + 1), ...cut].join('\n')
    if (room.take(text)) return text
  }
  return undefined
}

const anyBox = /^\s{0,12}(?:[-*+]|\d{1,3}[.)]) \[.\] \S/
const box = /^\s{0,12}(?:[-*+]|\d{1,3}[.)]) \[ \] \S/

function openBoxes(work: FileWork, shown: View['rows'] = new Set()): readonly string[] {
  const lines: string[] = []
  for (const { rows } of work.model.runs) {
    let under: string | undefined
    const titles = headingsIn(rows)
    for (const [at, row] of rows.entries()) {
      const { text } = row
      if (titles[at] === true) under = text
      if (!box.test(text) || shown.has(row)) continue
      if (under !== undefined) lines.push(harmless(under))
      under = undefined
      lines.push(harmless(text))
    }
  }
  return lines.length === 0 ? [] : [heading(work).replace(/^## /, '### '), ...lines]
}

const signs = { open: ' ', active: '~', done: 'x', dropped: '-' } as const

/** The newest list that a call has written, where it is gone. */
function newestList(calls: readonly GoneCall[]): readonly string[] | undefined {
  const newest = calls.findLast(({ call }) => (taskListOf(call)?.length ?? 0) > 0)
  if (newest?.isGone !== true) return undefined
  const tasks = taskListOf(newest.call) ?? []
  return [
    `### List of ${toolOf(newest.call)} at step ${newest.step}`,
    ...tasks.map(({ text, state }) => `- [${signs[state]}] ${text}`),
  ]
}
