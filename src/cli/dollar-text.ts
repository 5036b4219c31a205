/** An amount of money, to the cent where cents are little and finer where they matter. */
export function dollarText(dollars: number): string {
  const size = Math.abs(dollars)
  const digits = size >= 100 ? 0 : size >= 1 ? 2 : 4
  const text = size.toFixed(digits)
  return `${dollars < 0 && Number(text) > 0 ? '-' : ''}$${text}`
}
