const MILLION = 1_000_000

/** Removes what binary fractions add to a product of prices. */
export function dollars(price: number): number {
  return Math.round(price * MILLION) / MILLION
}
