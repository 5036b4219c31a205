/** A line of an older text and its place in a newer one. */
export interface LinePair {
  readonly from: number
  readonly to: number
}

const shortest = 4

/** The lines that two texts share in the same order: those that stand once in each, and what stands alike around them. */
export function alignment(older: readonly { readonly text: string }[], newer: readonly string[]): readonly LinePair[] {
  const anchors = longestRising(sharedOnce(older, newer))
  const pairs: LinePair[] = []
  let from = -1
  let to = -1
  for (const [at, anchor] of anchors.entries()) {
    if (anchor.from <= from) continue
    const grown: LinePair[] = []
    for (let back = 1; isAlike(older, newer, anchor.from - back, anchor.to - back); back += 1) {
      if (anchor.from - back <= from || anchor.to - back <= to) break
      grown.push({ from: anchor.from - back, to: anchor.to - back })
    }
    pairs.push(...grown.toReversed(), anchor)
    const end = anchors[at + 1] ?? { from: older.length, to: newer.length }
    for (let on = 1; isAlike(older, newer, anchor.from + on, anchor.to + on); on += 1) {
      if (anchor.from + on >= end.from || anchor.to + on >= end.to) break
      pairs.push({ from: anchor.from + on, to: anchor.to + on })
    }
    ;({ from, to } = pairs.at(-1) ?? anchor)
  }
  return pairs
}

function isAlike(
  older: readonly { readonly text: string }[],
  newer: readonly string[],
  from: number,
  to: number,
): boolean {
  return from >= 0 && to >= 0 && from < older.length && to < newer.length && older[from]?.text === newer[to]
}

function sharedOnce(older: readonly { readonly text: string }[], newer: readonly string[]): readonly LinePair[] {
  const places = new Map<string, number>()
  newer.forEach((text, to) => {
    if (text.trim().length >= shortest) places.set(text, places.has(text) ? -1 : to)
  })
  const seen = new Map<string, number>()
  older.forEach(({ text }, from) => {
    if (places.has(text)) seen.set(text, seen.has(text) ? -1 : from)
  })
  return [...seen].flatMap(([text, from]) => {
    const to = places.get(text) ?? -1
    return from < 0 || to < 0 ? [] : [{ from, to }]
  })
}

/** The longest choice of pairs, given by `from`, in which `to` rises, too. */
function longestRising(pairs: readonly LinePair[]): readonly LinePair[] {
  const ends: number[] = []
  const before = new Int32Array(pairs.length).fill(-1)
  pairs.forEach(({ to }, at) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.to ?? 0) < to) low = middle + 1
      else high = middle
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1)
    ends[low] = at
  })
  const found: LinePair[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at]
    if (pair !== undefined) found.push(pair)
  }
  return found.toReversed()
}
