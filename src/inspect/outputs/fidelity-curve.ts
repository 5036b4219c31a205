import { grouped } from '../../core/index.ts'
/** How much of what was needed is left where a share of the tokens is taken away. */
export interface CurvePoint {
  /** Share of the tokens that is taken away, in [0, 1]. */
  readonly removed: number
  readonly needed: number
  readonly kept: number
  /** What the rung says of itself. */
  readonly claimed: number
}

/** Points of about the same share, together. */
export interface CurveBin {
  readonly removed: number
  readonly needed: number
  readonly fidelity: number
  readonly claimed: number
}

export interface FidelityCurve {
  readonly bins: readonly CurveBin[]
  /** Of `1 - alpha * removed ** beta`; null where fewer than three bins lost anything. */
  readonly alpha: number | null
  readonly beta: number | null
  /** The removed share from which each further one costs more than itself, at most 1; null where no curve bends. */
  readonly knee: number | null
}

const bins = 10

/**
 * Fidelity by the removed share, and the curve 1 - alpha r^beta through it: least squares of log(1 - fidelity) on log(r), weighted by what was
 * needed. A beta above 1 says that the first things taken away matter least.
 */
export function fidelityCurve(points: readonly CurvePoint[]): FidelityCurve {
  const byBin = grouped(points, ({ removed }) => Math.min(bins - 1, Math.floor(removed * bins)))
  const made = Array.from(byBin)
    .toSorted(([a], [b]) => a - b)
    .map(([, members]) => binOf(members))
  const lossy = made.filter(({ fidelity, removed }) => fidelity < 1 && removed > 0)
  if (lossy.length < 3) return { bins: made, alpha: null, beta: null, knee: null }
  const curve = fitted(lossy)
  return { bins: made, ...curve, knee: kneeOf(curve) }
}

/** Where the slope of alpha r^beta is 1. */
function kneeOf({ alpha, beta }: { readonly alpha: number; readonly beta: number }): number | null {
  return beta > 1 && alpha > 0 ? Math.min(1, (1 / (alpha * beta)) ** (1 / (beta - 1))) : null
}

function binOf(members: readonly CurvePoint[]): CurveBin {
  const total = (figure: (point: CurvePoint) => number): number => members.reduce((sum, one) => sum + figure(one), 0)
  const needed = total((point) => point.needed)
  const weighted = (figure: (point: CurvePoint) => number): number =>
    total((point) => figure(point) * point.needed) / needed
  return {
    removed: weighted(({ removed }) => removed),
    needed,
    fidelity: total(({ kept }) => kept) / needed,
    claimed: weighted(({ claimed }) => claimed),
  }
}

function fitted(lossy: readonly CurveBin[]): { readonly alpha: number; readonly beta: number } {
  let [weight, x, y, xx, xy] = [0, 0, 0, 0, 0]
  for (const { removed, fidelity, needed } of lossy) {
    const [at, value] = [Math.log(removed), Math.log(1 - fidelity)]
    weight += needed
    x += needed * at
    y += needed * value
    xx += needed * at * at
    xy += needed * at * value
  }
  const beta = (weight * xy - x * y) / (weight * xx - x * x)
  return { alpha: Math.exp((y - beta * x) / weight), beta }
}
