export function openReport({ settings, bookOf, memberOf, feeOf, overdue }) {
  /** One line for each overdue loan, and what is owed for it all. */
  function report() {
    const late = overdue()
    const lines = late.map(({ bookId, memberId, due }) => `${due} ${bookOf(bookId).title} (${memberOf(memberId).name})`)
    const cents = [...new Set(late.map(({ memberId }) => memberId))].reduce((sum, id) => sum + feeOf(id), 0)
    return [...lines, `${(cents / 100).toFixed(2)} ${settings.currency}`].join('\n')
  }
  return report
}
