export function toDate(day) {
  return new Date(day)
}

export function toDay(date) {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

export function addDays(day, count) {
  const date = toDate(day)
  date.setDate(date.getDate() + count)
  return toDay(date)
}

export function addMonths(day, count) {
  const date = toDate(day)
  date.setMonth(date.getMonth() + count)
  return toDay(date)
}

export function daysBetween(from, to) {
  return Math.floor((toDate(to) - toDate(from)) / 86400000)
}

export function weekday(day) {
  return toDate(day).getDay()
}
