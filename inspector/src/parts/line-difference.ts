import { diffArrays } from 'diff'

/** Lines that differ, and a few around them. */
export interface Hunk {
  /** Ordinals, from 1. */
  readonly oldStart: number
  readonly newStart: number
  /** Each with its mark: `+` has come, `-` is gone, a space is in both. */
  readonly lines: readonly string[]
}

interface LineDifferenceOptions {
  /** Lines around. */
  readonly context: number
  /** A comparison that takes longer is given up, and what could not be compared is gone and has come as a whole. */
  readonly timeoutMs: number
}

/**
 * Two texts line by line. Lines that stand once in each are held fast first, and only what lies between them is compared:
 * bodies of 20,000 lines in a few milliseconds.
 */
export function lineDifference(before: string, after: string, options: LineDifferenceOptions): readonly Hunk[] {
  const old = before.split('\n')
  const fresh = after.split('\n')
  const endMs = performance.now() + options.timeoutMs
  const marked: string[] = []
  let [from, to] = [0, 0]
  for (const [oldAt, freshAt] of [...anchors(old, fresh), [old.length, fresh.length] as const]) {
    marked.push(...between(old.slice(from, oldAt), fresh.slice(to, freshAt), endMs))
    if (oldAt < old.length) marked.push(` ${old[oldAt]}`)
    from = oldAt + 1
    to = freshAt + 1
  }
  return hunksOf(marked, options.context)
}

type Pair = readonly [old: number, fresh: number]

/** Lines that stand once in both, as many as keep their order. */
function anchors(old: readonly string[], fresh: readonly string[]): readonly Pair[] {
  const inFresh = onceIn(fresh)
  const pairs = [...onceIn(old)].flatMap(([line, at]): Pair[] => {
    const other = inFresh.get(line)
    return other === undefined ? [] : [[at, other]]
  })
  return longestRising(pairs.toSorted(([one], [other]) => one - other))
}

function onceIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const again = new Set<string>()
  for (const [index, line] of lines.entries())
    if (places.has(line)) again.add(line)
    else places.set(line, index)
  for (const line of again) places.delete(line)
  return places
}

/** Of pairs in the order of their first, the most whose second rises, too. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, [, second]] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < second) low = middle + 1
      else high = middle
    }
    previous[index] = ends[low - 1] ?? -1
    ends[low] = index
  }
  const found: Pair[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at]
    if (pair) found.push(pair)
  }
  return found.toReversed()
}

function between(old: readonly string[], fresh: readonly string[], endMs: number): readonly string[] {
  const timeout = Math.max(0, endMs - performance.now())
  const parts =
    old.length > 0 && fresh.length > 0 && timeout > 0 ? diffArrays([...old], [...fresh], { timeout }) : undefined
  if (parts === undefined) return [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)]
  return parts.flatMap(({ added, removed, value }) => {
    const mark = added ? '+' : removed ? '-' : ' '
    return value.map((line) => mark + line)
  })
}

function hunksOf(marked: readonly string[], context: number): readonly Hunk[] {
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = []
  let [oldAt, newAt, last] = [1, 1, -Infinity]
  let waiting: string[] = []
  for (const [index, line] of marked.entries()) {
    const isChange = !line.startsWith(' ')
    if (isChange) {
      if (index - last > 2 * context + 1 || hunks.length === 0) {
        const around = waiting.slice(Math.max(0, waiting.length - context))
        hunks.push({ oldStart: oldAt - around.length, newStart: newAt - around.length, lines: around })
      } else hunks.at(-1)?.lines.push(...waiting)
      hunks.at(-1)?.lines.push(line)
      waiting = []
      last = index
    } else if (index - last <= context) hunks.at(-1)?.lines.push(line)
    else waiting.push(line)
    if (!line.startsWith('+')) oldAt += 1
    if (!line.startsWith('-')) newAt += 1
  }
  return hunks
}
