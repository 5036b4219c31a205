/** The probabilities of 0 to `trials` successes, each with probability `share`. */
export function binomialShares(trials: number, share: number): readonly number[] {
  if (share <= 0 || share >= 1) {
    const certain = share <= 0 ? 0 : trials
    return Array.from({ length: trials + 1 }, (_, hits) => (hits === certain ? 1 : 0))
  }
  const [logHit, logMiss] = [Math.log(share), Math.log1p(-share)]
  // In logarithms: the first factors of a large sum are smaller than any number.
  let logChoose = 0
  return Array.from({ length: trials + 1 }, (_, hits) => {
    if (hits > 0) logChoose += Math.log((trials - hits + 1) / hits)
    return Math.exp(logChoose + hits * logHit + (trials - hits) * logMiss)
  })
}
