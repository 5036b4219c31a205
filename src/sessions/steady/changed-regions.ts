/** Lines that stand in the place of others: from, and the one after the last. */
export interface ChangedRegion {
  readonly base: Range
  readonly now: Range
}

export type Range = readonly [from: number, end: number]

/** Where two texts differ, line by line. Lines that each has once are taken for the same, in their order. Linear in their length. */
export function changedRegions(base: readonly string[], now: readonly string[]): readonly ChangedRegion[] {
  const most = Math.min(base.length, now.length)
  let start = 0
  while (start < most && base[start] === now[start]) start += 1
  let tail = 0
  while (tail < most - start && base[base.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  const [baseEnd, nowEnd] = [base.length - tail, now.length - tail]
  const regions: ChangedRegion[] = []
  let [fromBase, fromNow] = [start, start]
  for (const [atBase, atNow] of [...anchors(base, now, { start, baseEnd, nowEnd }), [baseEnd, nowEnd] as const]) {
    regions.push(...apart(base, now, { base: [fromBase, atBase], now: [fromNow, atNow] }))
    ;[fromBase, fromNow] = [atBase + 1, atNow + 1]
  }
  return regions
}

interface Bounds {
  readonly start: number
  readonly baseEnd: number
  readonly nowEnd: number
}

/** Lines that both have, once each. */
function anchors(
  base: readonly string[],
  now: readonly string[],
  { start, baseEnd, nowEnd }: Bounds,
): readonly (readonly [number, number])[] {
  const places = single(base, start, baseEnd)
  const found: (readonly [number, number])[] = []
  let last = -1
  for (const [line, at] of single(now, start, nowEnd)) {
    const place = places.get(line)
    if (place === undefined || place <= last) continue
    found.push([place, at])
    last = place
  }
  return found
}

/** Lines that stand once, with their places, in order. */
function single(lines: readonly string[], from: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const often = new Set<string>()
  for (let at = from; at < end; at += 1) {
    const line = lines[at] ?? ''
    if (places.has(line)) often.add(line)
    places.set(line, at)
  }
  for (const line of often) places.delete(line)
  return places
}

/** A region; where it has as many lines as before, the runs of lines in it that differ. */
function apart(base: readonly string[], now: readonly string[], region: ChangedRegion): readonly ChangedRegion[] {
  const [[fromBase, endBase], [fromNow, endNow]] = [region.base, region.now]
  if (fromBase >= endBase && fromNow >= endNow) return []
  if (endBase - fromBase !== endNow - fromNow) return [region]
  const runs: ChangedRegion[] = []
  let begun: number | undefined
  for (let at = 0; at <= endBase - fromBase; at += 1) {
    const differs = at < endBase - fromBase && base[fromBase + at] !== now[fromNow + at]
    if (differs) begun ??= at
    else if (begun !== undefined) {
      runs.push({ base: [fromBase + begun, fromBase + at], now: [fromNow + begun, fromNow + at] })
      begun = undefined
    }
  }
  return runs
}
