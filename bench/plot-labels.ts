/** A point, and what is to stand beside it. */
export interface LabelledPoint {
  readonly x: number
  readonly y: number
  readonly text: string
}

export interface PlotArea {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const characterWidth = 7.2
const lineHeight = 14
/** Distance of a label from its point. */
const gap = 9

/** Where the text of each point begins (its base line), so that no text covers another text or a point, as far as there is room. */
export function placedLabels(points: readonly LabelledPoint[], area: PlotArea): readonly LabelledPoint[] {
  const taken: PlotArea[] = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }))
  return points.map(({ x, y, text }) => {
    const width = text.length * characterWidth
    const places = candidates(x, y, width)
    const isFree = (box: PlotArea): boolean => isWithin(box, area) && !taken.some((other) => overlaps(box, other))
    const box = places.find(isFree) ?? places.find((one) => isWithin(one, area)) ?? places[0]!
    taken.push(box)
    return { x: box.left, y: box.bottom - 3, text }
  })
}

/** Right, left, above and below, then further and further away. */
function candidates(x: number, y: number, width: number): readonly PlotArea[] {
  return Array.from({ length: 10 }, (_, ring) =>
    [-1, 1].flatMap((side) => {
      const middle = y + side * ring * lineHeight
      return [x + gap, x - gap - width].map((left) => ({
        left,
        right: left + width,
        top: middle - lineHeight / 2,
        bottom: middle + lineHeight / 2,
      }))
    }),
  ).flat()
}

function isWithin(box: PlotArea, area: PlotArea): boolean {
  return box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom
}

function overlaps(one: PlotArea, other: PlotArea): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
