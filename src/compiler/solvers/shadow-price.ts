/**
 * One section as the price sees it. It asks for `strength / (price + cost) - beta` tokens above its minimum,
 * at least none and at most `span`.
 */
export interface PricedSection {
  /** weight * alpha */
  readonly strength: number
  readonly beta: number
  /** Tokens between minimum and maximum. */
  readonly span: number
  /** Cost sensitivity times the price of one token. */
  readonly cost: number
}

/** Tokens above its minimum that a section asks for at a price. */
export function tokensAtPrice(section: PricedSection, price: number): number {
  if (section.strength <= 0) return 0
  const wanted = section.strength / (price + section.cost) - section.beta
  return Math.min(section.span, Math.max(0, wanted))
}

/**
 * The price of one token at which the sections together ask for exactly `surplus` tokens; 0 where they ask for less
 * even when tokens are free. Exact: the breakpoints where sections meet their bounds are searched, and between two
 * of them the sum is a smooth convex function, solved in closed form or by Newton's method.
 */
export function shadowPrice(sections: readonly PricedSection[], surplus: number): number {
  if (askedAt(sections, 0) <= surplus) return 0
  const breakpoints = bounds(sections)
  let low = 0
  let high = breakpoints.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (askedAt(sections, breakpoints[middle] ?? 0) <= surplus) high = middle
    else low = middle + 1
  }
  const right = breakpoints[low] ?? 0
  const left = low === 0 ? 0 : (breakpoints[low - 1] ?? 0)
  return priceBetween({ sections, surplus, left, right })
}

function askedAt(sections: readonly PricedSection[], price: number): number {
  let sum = 0
  for (const section of sections) sum += tokensAtPrice(section, price)
  return sum
}

/** Prices at which a section leaves its minimum or reaches its maximum, rising. */
function bounds(sections: readonly PricedSection[]): readonly number[] {
  return sections
    .filter((section) => section.strength > 0 && section.span > 0)
    .flatMap(({ strength, beta, span, cost }) => [strength / beta - cost, strength / (beta + span) - cost])
    .filter((price) => price > 0)
    .toSorted((a, b) => a - b)
}

interface Interval {
  readonly sections: readonly PricedSection[]
  readonly surplus: number
  /** Price at which more than the surplus is asked for. */
  readonly left: number
  /** Price at which at most the surplus is asked for. */
  readonly right: number
}

function priceBetween({ sections, surplus, left, right }: Interval): number {
  const middle = (left + right) / 2
  const interior = sections.filter((section) => isInterior(section, middle))
  const settled = sections.filter((section) => !interior.includes(section))
  const wanted = surplus - askedAt(settled, middle) + interior.reduce((sum, { beta }) => sum + beta, 0)
  const [first] = interior
  if (first === undefined) return right
  if (interior.every((section) => section.cost === first.cost)) {
    const strength = interior.reduce((sum, section) => sum + section.strength, 0)
    return clamp(strength / wanted - first.cost, left, right)
  }
  return newton({ interior, wanted, left, right })
}

function isInterior(section: PricedSection, price: number): boolean {
  const tokens = tokensAtPrice(section, price)
  return tokens > 0 && tokens < section.span
}

/** Starts where too much is asked for; on a convex falling function the steps then never overshoot. */
function newton(problem: {
  readonly interior: readonly PricedSection[]
  readonly wanted: number
  readonly left: number
  readonly right: number
}): number {
  let price = problem.left
  for (let round = 0; round < 100; round += 1) {
    let excess = -problem.wanted
    let slope = 0
    for (const { strength, cost } of problem.interior) {
      const asked = strength / (price + cost)
      excess += asked
      slope += asked / (price + cost)
    }
    const next = clamp(price + excess / slope, problem.left, problem.right)
    if (!(next > price)) return price
    price = next
  }
  return price
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
