/** Orders of one customer, made up; a real tool would ask a database. */
export const orders: readonly string[] = Array.from({ length: 40 }, (_, index) => `A-${1000 + 37 * index}`)

/** What the tool answers: sixty lines of tracking. */
export function look(order: string): string {
  const number = Number(order.slice(2))
  const lines = Array.from({ length: 60 }, (_, line) => {
    const [day, hour] = [1 + (line % 28), (number + 7 * line) % 24]
    return `2026-10-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00 ${order} parcel ${(number * (line + 3)) % 9973} at depot ${(number + 11 * line) % 97}`
  })
  return [`order ${order}, ${number % 3 === 0 ? 'delayed' : 'on its way'}`, ...lines].join('\n')
}
