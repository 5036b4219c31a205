/** A rectangle in shares of the whole, each in [0, 1]. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const whole: Area = { x: 0, y: 0, width: 1, height: 1 }

/**
 * Divides a rectangle among values, in their order, so that each gets its share of the area and is as near to a square as it can be
 * (Bruls, Huizing, van Wijk 2000). `aspect` is width over height of the rectangle as it is drawn. The largest value comes first.
 */
export function squarified(values: readonly number[], aspect = 1, room: Area = whole): readonly Area[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => ({ ...room, width: 0, height: 0 }))
  const areas: Area[] = []
  let left = room
  let rest = total
  while (areas.length < values.length) {
    const row = rowOf(values.slice(areas.length), { left, rest, aspect })
    const sum = row.reduce((all, value) => all + value, 0)
    const share = rest <= 0 ? 0 : sum / rest
    const isTall = left.width * aspect >= left.height
    areas.push(
      ...rowAreas(
        row,
        sum,
        isTall ? { ...left, width: left.width * share } : { ...left, height: left.height * share },
        isTall,
      ),
    )
    left = isTall
      ? { ...left, x: left.x + left.width * share, width: left.width * (1 - share) }
      : { ...left, y: left.y + left.height * share, height: left.height * (1 - share) }
    rest -= sum
  }
  return areas
}

interface Row {
  readonly left: Area
  /** What all values that are not placed come to. */
  readonly rest: number
  readonly aspect: number
}

/** The next values that stand beside each other along the shorter side: one more joins while the worst of them gets no longer. */
function rowOf(values: readonly number[], { left, rest, aspect }: Row): readonly number[] {
  const [width, height] = [left.width * aspect, left.height]
  const side = Math.min(width, height)
  const scale = rest <= 0 ? 0 : (width * height) / rest
  let taken = 1
  let worst = worstOf(values.slice(0, 1), side, scale)
  while (taken < values.length) {
    const next = worstOf(values.slice(0, taken + 1), side, scale)
    if (next > worst) break
    worst = next
    taken += 1
  }
  return values.slice(0, taken)
}

/** The longest side over the shortest of the worst rectangle in a row. */
function worstOf(row: readonly number[], side: number, scale: number): number {
  const sum = row.reduce((all, value) => all + value, 0) * scale
  const thick = sum / side
  return Math.max(
    ...row.map((value) => {
      const long = (value * scale) / thick
      return Math.max(long / thick, thick / long)
    }),
  )
}

function rowAreas(
  row: readonly number[],
  sum: number,
  { x, y, width, height }: Area,
  isTall: boolean,
): readonly Area[] {
  let done = 0
  return row.map((value) => {
    const [from, share] = [sum <= 0 ? 0 : done / sum, sum <= 0 ? 0 : value / sum]
    done += value
    return isTall
      ? { x, y: y + height * from, width, height: height * share }
      : { x: x + width * from, y, width: width * share, height }
  })
}
