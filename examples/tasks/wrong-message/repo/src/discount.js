import { memoize } from './memoize.js'

/** Percent for a customer who has bought so often; null for one who gets none. */
export const discountFor = memoize((purchases, coupon) => {
  if (coupon === 'WELCOME') return 10
  if (purchases >= 50) return 8
  return purchases >= 10 ? 5 : null
})

/** What is left of an amount in cents. */
export function discounted(cents, purchases, coupon) {
  return cents - Math.round((cents * (discountFor(purchases, coupon) ?? 0)) / 100)
}
