/** Prices are whole cents everywhere inside; only these two functions know about decimal points. */

const pricePattern = /^([+-]?)(\d{1,12})(?:[.,](\d{1,2}))?$/

/**
 * "12.5" is 1250, "0.07" is 7, "-3" is -300.
 *
 * @param {string} text
 * @returns {number}
 */
export function parseCents(text) {
  const match = pricePattern.exec(text.trim())
  if (match === null) throw new TypeError(`not a price: ${JSON.stringify(text)}`)
  const [, sign, whole, fraction = ''] = match
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/**
 * 1250 is "12.50", -5 is "-0.05".
 *
 * @param {number} cents
 * @returns {string}
 */
export function formatCents(cents) {
  const whole = Math.floor(cents / 100)
  const fraction = Math.abs(cents % 100)
  return `${whole}.${String(fraction).padStart(2, '0')}`
}

/**
 * Price of a quantity, rounded half away from zero.
 *
 * @param {number} quantity
 * @param {number} centsEach
 * @returns {number}
 */
export function multiplyCents(quantity, centsEach) {
  const product = quantity * centsEach
  return Math.sign(product) * Math.round(Math.abs(product))
}
