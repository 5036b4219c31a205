import { addDays, addMonths, daysBetween, weekday } from './days.js'

export function billingDays({ start, months = 1 }, count) {
  return Array.from({ length: count }, (_, at) => addMonths(start, at * months))
}

export function dueDay(issued, { days = 14, holidays = [] } = {}) {
  let due = addDays(issued, days)
  while (weekday(due) > 5 || holidays.includes(due)) due = addDays(due, 1)
  return due
}

export function prorated(cents, from, to, periodStart, periodEnd) {
  const begin = from > periodStart ? from : periodStart
  const end = to < periodEnd ? to : periodEnd
  const share = (cents * Math.max(0, daysBetween(begin, end))) / daysBetween(periodStart, periodEnd)
  return share === 0 ? 0 : Math.sign(share) * Math.round(Math.abs(share))
}

export function parts(cents, shares) {
  const each = Math.trunc(cents / shares)
  const rest = Math.abs(cents - each * shares)
  return Array.from({ length: shares }, (_, at) => each + (at < rest ? Math.sign(cents) : 0))
}
