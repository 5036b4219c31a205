/** How likely one of several signs is right, each by itself as likely as its weight: what speaks for an order adds up, and never to more than 1. */
export function chance(weights: Iterable<number>): number {
  let missed = 1
  for (const weight of weights) missed *= 1 - weight
  return Math.round((1 - missed) * 1000) / 1000
}
