import { multiplyCents } from './money.js'

/**
 * @typedef {object} Lot
 * @property {string} date
 * @property {number} quantity what is left of it
 * @property {number} centsEach
 */

/** Quantities below this are rounding noise of fractions, not goods. */
const epsilon = 1e-9

/** What is on the shelves, by warehouse and article, as lots in the order in which they came. */
export class StockLedger {
  /** @type {Map<string, Map<string, Lot[]>>} */
  #warehouses = new Map()
  /** @type {{ warehouse: string, article: string, date: string, missing: number }[]} */
  #shortages = []

  /** @param {import('./read-movements.js').Movement} movement */
  apply(movement) {
    const lots = this.#lotsOf(movement.warehouse, movement.article)
    if (movement.quantity > 0) {
      lots.push({ date: movement.date, quantity: movement.quantity, centsEach: movement.centsEach })
    } else {
      this.#withdraw(lots, movement)
    }
  }

  /**
   * First in, first out. What is asked for beyond the stock is a shortage, not an error: counts differ in real life.
   */
  #withdraw(lots, movement) {
    let wanted = -movement.quantity
    while (wanted > epsilon && lots.length > 0) {
      const newest = lots[lots.length - 1]
      const taken = Math.min(wanted, newest.quantity)
      newest.quantity -= taken
      wanted -= taken
      if (newest.quantity <= epsilon) lots.pop()
    }
    if (wanted > epsilon) {
      const { warehouse, article, date } = movement
      this.#shortages.push({ warehouse, article, date, missing: wanted })
    }
  }

  #lotsOf(warehouse, article) {
    const articles = this.#warehouses.get(warehouse) ?? new Map()
    this.#warehouses.set(warehouse, articles)
    const lots = articles.get(article) ?? []
    articles.set(article, lots)
    return lots
  }

  /** @returns {{ warehouse: string, article: string, quantity: number, cents: number, oldest: string | undefined }[]} */
  positions() {
    const positions = []
    for (const [warehouse, articles] of this.#warehouses) {
      for (const [article, lots] of articles) {
        const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0)
        const cents = lots.reduce((sum, lot) => sum + multiplyCents(lot.quantity, lot.centsEach), 0)
        positions.push({ warehouse, article, quantity, cents, oldest: lots[0]?.date })
      }
    }
    return positions
  }

  get shortages() {
    return [...this.#shortages]
  }
}
