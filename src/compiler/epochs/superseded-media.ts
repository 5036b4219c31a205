import type { Item } from '../../core/index.ts'

/** A user's picture is one of a series only where so many newer ones say so; a tool's next one is enough. */
const leastOfUser = 3

/**
 * Tells of a picture, a recording or a file whether newer ones have taken its place: those of the same tool, or of the user, that are of
 * the same kind and size and came with later messages, as one screenshot follows another. What is asked about first has the whole
 * conversation looked through, once.
 */
export function supersededMedia(
  items: readonly Item[],
  hiddenTools: readonly string[] = [],
): (index: number) => boolean {
  let newer: ReadonlyMap<number, number> | undefined
  return (index) => {
    const item = items[index]
    if (item === undefined || seriesOf(item, hiddenTools) === undefined) return false
    newer ??= newerOfSeries(items, hiddenTools)
    return (newer.get(index) ?? 0) >= (item.role === 'tool' ? 1 : leastOfUser)
  }
}

/** What has no size is known again by its tool alone; what was asked for by a handle takes nobody's place. */
function seriesOf({ kind, role, toolName = '', media }: Item, hiddenTools: readonly string[]): string | undefined {
  if (kind !== 'media' || media === undefined || hiddenTools.includes(toolName)) return undefined
  const { type, width, height } = media
  if (role !== 'tool' && (width === undefined || height === undefined)) return undefined
  return [role, toolName, type, width, height].join(' ')
}

/** Of each, in how many later messages others of its series came. */
function newerOfSeries(items: readonly Item[], hiddenTools: readonly string[]): ReadonlyMap<number, number> {
  const seen = new Map<string, { moment: number; later: number }>()
  const found = new Map<number, number>()
  const moments = momentsOf(items)
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    const series = item && seriesOf(item, hiddenTools)
    if (series === undefined) continue
    const moment = moments[index] ?? 0
    const last = seen.get(series)
    const later = last === undefined ? 0 : last.later + (last.moment === moment ? 0 : 1)
    found.set(index, later)
    seen.set(series, { moment, later })
  }
  return found
}

/** What is said and returned between two replies is one moment. */
function momentsOf(items: readonly Item[]): readonly number[] {
  let moment = 0
  return items.map(({ role }, index) => {
    if (role !== 'assistant' && items[index - 1]?.role === 'assistant') moment += 1
    return moment
  })
}
