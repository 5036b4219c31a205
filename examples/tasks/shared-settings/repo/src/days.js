const msPerDay = 86400000

export function addDays(day, count) {
  return new Date(Date.parse(day) + count * msPerDay).toISOString().slice(0, 10)
}

export function daysFrom(earlier, later) {
  return (Date.parse(later) - Date.parse(earlier)) / msPerDay
}
