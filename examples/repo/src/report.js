import { compareText, groupBy } from './group-by.js'
import { StockLedger } from './stock-ledger.js'

/**
 * @typedef {object} ReportOptions
 * @property {'warehouse' | 'article'} [by]
 * @property {string} [on] movements after this day do not count
 * @property {number} [low] mark articles of which fewer are left
 */

/**
 * @typedef {object} ReportRow
 * @property {string} name
 * @property {number} quantity
 * @property {number} cents
 * @property {string} oldest date of the oldest lot, or an empty string
 * @property {boolean} low
 */

/**
 * @param {readonly import('./read-movements.js').Movement[]} movements
 * @param {ReportOptions} [options]
 * @returns {{ rows: ReportRow[], total: ReportRow, shortages: StockLedger['shortages'] }}
 */
export function reportRows(movements, { by = 'article', on, low = 0 } = {}) {
  const ledger = new StockLedger()
  const counted = on === undefined ? [...movements] : movements.filter((movement) => movement.date < on)
  counted.sort((a, b) => compareText(a.date, b.date))
  for (const movement of counted) ledger.apply(movement)
  const groups = groupBy(ledger.positions(), (position) => position[by])
  const rows = [...groups].map(([name, positions]) => summarize(name, positions, low))
  rows.sort((a, b) => compareText(a.name, b.name))
  return { rows, total: totalOf(rows), shortages: ledger.shortages }
}

function summarize(name, positions, low) {
  const quantity = positions.reduce((sum, position) => sum + position.quantity, 0)
  const cents = positions.reduce((sum, position) => sum + position.cents, 0)
  const dates = positions.flatMap((position) => (position.oldest === undefined ? [] : [position.oldest]))
  return { name, quantity, cents, oldest: dates[0] ?? '', low: quantity < low }
}

function totalOf(rows) {
  return {
    name: 'total',
    quantity: rows.reduce((sum, row) => sum + row.quantity, 0),
    cents: rows.reduce((sum, row) => sum + row.cents, 0),
    oldest: '',
    low: false,
  }
}
