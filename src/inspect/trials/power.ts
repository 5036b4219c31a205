import { binomialShares } from './binomial.ts'

/** Shares of pairs in which one of both solves the task and the other does not. */
export interface Discordance {
  readonly onlyBaseline: number
  readonly onlyPolicy: number
}

export const significance = 0.05
export const wantedPower = 0.8

/** Pairs of runs that are independent of each other: the policy solves `loss` less than the baseline does. */
export function independentPairs(baseline: number, loss: number): Discordance {
  const policy = baseline - loss
  return { onlyBaseline: baseline * (1 - policy), onlyPolicy: policy * (1 - baseline) }
}

/** How often McNemar's exact test at 5% finds the difference with this many pairs. */
export function mcnemarPower(pairs: number, { onlyBaseline, onlyPolicy }: Discordance): number {
  const differing = onlyBaseline + onlyPolicy
  let power = 0
  for (const [count, share] of binomialShares(pairs, differing).entries()) {
    if (share < negligible) continue
    const reject = mostThatReject(count)
    if (reject < 0) continue
    const hits = binomialShares(count, onlyBaseline / differing)
    for (let at = 0; at <= reject; at += 1) power += share * ((hits[at] ?? 0) + (hits[count - at] ?? 0))
  }
  return power
}

const negligible = 1e-9
const remembered = new Map<number, number>()

/** The most pairs on the smaller side at which the test still rejects; -1 where it never does. */
function mostThatReject(count: number): number {
  const known = remembered.get(count)
  if (known !== undefined) return known
  const shares = binomialShares(count, 0.5)
  let [tail, most] = [0, -1]
  for (let at = 0; at < count / 2; at += 1) {
    tail += shares[at] ?? 0
    if (2 * tail > significance) break
    most = at
  }
  remembered.set(count, most)
  return most
}

const mostPairs = 20_000

/** The fewest pairs that find the difference in 80 of 100 experiments; undefined beyond 20,000. */
export function pairsNeeded(discordance: Discordance): number | undefined {
  const isEnough = (pairs: number): boolean => mcnemarPower(pairs, discordance) >= wantedPower
  let high = 8
  while (!isEnough(high)) {
    high *= 2
    if (high > mostPairs) return undefined
  }
  let low = high / 2
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** The smallest loss, in whole points, that this many independent pairs find in 80 of 100 experiments; undefined where not even a total one is found. */
export function smallestLoss(pairs: number, baseline: number): number | undefined {
  for (let points = 1; points <= Math.floor(100 * baseline); points += 1) {
    if (mcnemarPower(pairs, independentPairs(baseline, points / 100)) >= wantedPower) return points
  }
  return undefined
}
