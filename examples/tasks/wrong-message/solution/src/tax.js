import { memoize } from './memoize.js'
import { taxRates } from './tax-rates.js'

/** The rate for a kind of goods in a country, in percent; the standard rate for kinds without their own. */
export const rateFor = memoize((country, kind) => {
  if (!Object.hasOwn(taxRates, country)) return undefined
  const rates = taxRates[country]
  return (Object.hasOwn(rates, kind) ? rates[kind] : rates.standard).rate
})

/** Tax in cents on an amount in cents. */
export function taxOn(cents, country, kind) {
  const rate = rateFor(country, kind)
  if (rate === undefined) throw new Error(`the tax table has no rate for ${kind} in ${country}`)
  return Math.round((cents * rate) / 100)
}
