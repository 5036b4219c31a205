export const books = new Map()
export const members = new Map()
export const loans = []

export function reset() {
  books.clear()
  members.clear()
  loans.length = 0
}
