const msPerDay = 86400000

/** Milliseconds of a day at midnight, UTC. Throws a `RangeError` for what is no day. */
function timeOf(day) {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typeof day === 'string' ? day : '') ?? []
  const time = Date.UTC(Number(year), Number(month) - 1, Number(date))
  if (!(year >= '1900' && year <= '2999') || dayAt(time) !== day) throw new RangeError(`not a day: ${day}`)
  return time
}

function dayAt(time) {
  return new Date(time).toISOString().slice(0, 10)
}

export function addDays(day, count) {
  return dayAt(timeOf(day) + count * msPerDay)
}

export function addMonths(day, count) {
  const date = new Date(timeOf(day))
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayAt(Date.UTC(year, month, Math.min(date.getUTCDate(), last)))
}

export function daysBetween(from, to) {
  return (timeOf(to) - timeOf(from)) / msPerDay
}

export function weekday(day) {
  return new Date(timeOf(day)).getUTCDay() || 7
}
