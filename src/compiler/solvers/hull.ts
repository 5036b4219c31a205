/** One way to show an item, as a solver sees it. */
export interface RungPoint {
  readonly tokens: number
  readonly value: number
}

/**
 * Indices of the points on the upper concave hull seen from nothing (0 tokens, 0 value), cheapest first. Each step
 * along them costs tokens, adds value, and adds less value per token than the step before. The last one is the
 * cheapest point of the highest value.
 */
export function hullOf(points: readonly RungPoint[]): readonly number[] {
  const [only] = points
  if (points.length === 1 && only !== undefined) return onlyPoint
  const byTokens = points
    .map((point, index) => ({ ...point, index }))
    .toSorted((a, b) => a.tokens - b.tokens || b.value - a.value || a.index - b.index)
  const hull: (RungPoint & { readonly index: number })[] = []
  for (const point of byTokens) {
    const top = hull.at(-1)
    if (top !== undefined && point.value <= top.value) continue
    while (hull.length > 0 && isBelow(hull, point)) hull.pop()
    hull.push(point)
  }
  return hull.map(({ index }) => index)
}

const onlyPoint = [0]

/** Whether the last point of the hull lies on or under the line from the one before it to `next`. */
function isBelow(hull: readonly RungPoint[], next: RungPoint): boolean {
  const top = hull.at(-1) ?? nothing
  const before = hull.at(-2) ?? nothing
  return (
    (top.value - before.value) * (next.tokens - top.tokens) <= (next.value - top.value) * (top.tokens - before.tokens)
  )
}

const nothing: RungPoint = { tokens: 0, value: 0 }
