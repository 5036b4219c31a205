/** Whole tokens in proportion to the weights, by largest remainder; together exactly `total` unless all weights are 0. */
export function apportion(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum <= 0) return weights.map(() => 0)
  const exact = weights.map((weight) => (total * weight) / sum)
  const whole = exact.map(Math.floor)
  const missing = total - whole.reduce((all, tokens) => all + tokens, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder.slice(0, missing)) whole[index] = (whole[index] ?? 0) + 1
  return whole
}
