/** To a millionth of a millionth of a dollar, less than any price of a token: sums are the same in whatever order. */
export function wholeUsd(usd: number): number {
  return Math.round(usd * 1e12) / 1e12
}
