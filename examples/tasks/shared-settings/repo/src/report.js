import { bookOf } from './books.js'
import { feeOf } from './fees.js'
import { overdue } from './loans.js'
import { memberOf } from './members.js'
import { settings } from './settings.js'

/** One line for each overdue loan, and what is owed for it all. */
export function report() {
  const late = overdue()
  const lines = late.map(({ bookId, memberId, due }) => `${due} ${bookOf(bookId).title} (${memberOf(memberId).name})`)
  const cents = [...new Set(late.map(({ memberId }) => memberId))].reduce((sum, id) => sum + feeOf(id), 0)
  return [...lines, `${(cents / 100).toFixed(2)} ${settings.currency}`].join('\n')
}
