import { addDays, addMonths, daysBetween, weekday } from './days.js'

export function billingDays({ start, months = 1 }, count) {
  const days = [start]
  while (days.length < count) days.push(addMonths(days[days.length - 1], months))
  return days
}

export function dueDay(issued, { days = 14, holidays = [] } = {}) {
  const due = addDays(issued, days)
  if (weekday(due) === 6) return addDays(due, 2)
  if (weekday(due) === 7) return addDays(due, 1)
  if (holidays.includes(due)) return addDays(due, 1)
  return due
}

export function prorated(cents, from, to, periodStart, periodEnd) {
  return Math.round((cents * daysBetween(from, to)) / daysBetween(periodStart, periodEnd))
}

export function parts(cents, shares) {
  const each = Math.floor(cents / shares)
  return Array.from({ length: shares }, (_, at) => (at === 0 ? cents - each * (shares - 1) : each))
}
