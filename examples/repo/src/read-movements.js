import { parseCsv } from './csv.js'
import { parseCents } from './money.js'

/**
 * @typedef {object} Movement
 * @property {string} date ISO-8601, e.g. 2024-03-31
 * @property {string} warehouse
 * @property {string} article
 * @property {number} quantity negative when goods leave
 * @property {number} centsEach
 */

const requiredColumns = ['date', 'warehouse', 'article', 'quantity', 'price']
const datePattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** Raised for a file that cannot be read; `line` counts from 1 and includes the header. */
export class MovementError extends Error {
  /**
   * @param {string} problem
   * @param {number} line
   */
  constructor(problem, line) {
    super(`line ${line}: ${problem}`)
    this.name = 'MovementError'
    this.line = line
  }
}

/**
 * Columns may stand in any order; unknown ones are ignored.
 *
 * @param {string} text
 * @returns {Movement[]}
 */
export function readMovements(text) {
  const [header, ...rows] = parseCsv(text)
  if (header === undefined) throw new MovementError('the file is empty', 1)
  const columnIndex = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]))
  for (const name of requiredColumns) {
    if (!columnIndex.has(name)) throw new MovementError(`column ${name} is missing`, 1)
  }
  return rows
    .filter((row) => row.some((field) => field !== ''))
    .map((row, index) => readRow((name) => row[columnIndex.get(name)] ?? '', index + 1))
}

/**
 * @param {(column: string) => string} fieldOf
 * @param {number} line
 * @returns {Movement}
 */
function readRow(fieldOf, line) {
  const date = fieldOf('date').trim()
  if (!datePattern.test(date)) throw new MovementError(`not a date: ${JSON.stringify(date)}`, line)
  const quantity = Number(fieldOf('quantity'))
  if (!Number.isFinite(quantity) || quantity === 0) {
    throw new MovementError(`not a quantity: ${JSON.stringify(fieldOf('quantity'))}`, line)
  }
  const article = fieldOf('article').trim()
  if (article === '') throw new MovementError('the article has no name', line)
  return { date, warehouse: fieldOf('warehouse').trim(), article, quantity, centsEach: priceOf(fieldOf('price'), line) }
}

function priceOf(text, line) {
  try {
    return parseCents(text)
  } catch (error) {
    throw new MovementError(error.message, line)
  }
}
