import { discounted } from './discount.js'
import { normalCountry } from './normal-country.js'
import { shippingCost } from './shipping.js'
import { taxOn } from './tax.js'

/** An invoice in cents: the sum of the lines without and with tax, and the shipping, which is taxed as standard. */
export function invoiceFor({ country, lines, kilograms = 1, express = false, purchases = 0, coupon }) {
  const code = normalCountry(country)
  const goods = lines.map(({ cents, kind = 'standard' }) => {
    const net = discounted(cents, purchases, coupon)
    return { net, tax: taxOn(net, code, kind) }
  })
  const shipping = shippingCost(code, kilograms, express)
  const net = goods.reduce((sum, line) => sum + line.net, 0) + shipping
  const tax = goods.reduce((sum, line) => sum + line.tax, 0) + taxOn(shipping, code, 'standard')
  return { net, tax, gross: net + tax, shipping }
}
