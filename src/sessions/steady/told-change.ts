import { changedRegions } from './changed-regions.ts'
import type { ChangedRegion } from './changed-regions.ts'
import { changeKinds, isOfValues, kindOfChange } from './kind-of-change.ts'
import type { ChangeKind } from './kind-of-change.ts'
import { isSameTool, linesOf } from './steady-subjects.ts'
import type { Subject } from './steady-subjects.ts'

/** What has become of a text, and what it says by now where it says something else. */
export interface ToldChange {
  readonly kind: ChangeKind
  readonly lines: readonly string[]
}

export function toldChange(subject: Subject, base: string): ToldChange {
  const { item, tool } = subject
  if (tool !== undefined && !isSameTool(base, item.text)) return { kind: 'words', lines: [] }
  const [before, now] = [linesOf(subject, base), linesOf(subject, item.text)]
  const regions = changedRegions(before, now)
  const ranks = regions.map((region) =>
    changeKinds.indexOf(kindOfChange(before.slice(...region.base), now.slice(...region.now))),
  )
  const kind = changeKinds[Math.max(0, ...ranks)] ?? 'words'
  if (kind === 'words') return { kind, lines: [] }
  const lines = regions.flatMap((region) => linesNow(before, now, region))
  return { kind, lines: tool === undefined ? lines : lines.map((line) => `${tool}: ${line}`) }
}

/** Of a listing all lines, with what it is called: where there are more or less of them than there were, or they are nothing but values. */
function linesNow(
  before: readonly string[],
  now: readonly string[],
  { base, now: range }: ChangedRegion,
): readonly string[] {
  let [from, end] = range
  const isListing = end - from !== base[1] - base[0] || now.slice(from, end).every(isItem)
  if (!isListing) return now.slice(from, end).map((line) => line.trim())
  while (from > 0 && isItem(now[from - 1])) from -= 1
  while (isItem(now[end])) end += 1
  const head = now[from - 1]?.trim() ?? ''
  const lines = now.slice(from, end).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const gone = before.slice(...base).map((line) => line.trim())
  return [...(head === '' ? [] : [head]), ...(lines.length > 0 ? lines : [`(no more: ${gone.join(', ')})`])]
}

function isItem(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '' && isOfValues(line)
}
