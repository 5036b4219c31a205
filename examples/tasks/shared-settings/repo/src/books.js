import { nextId } from './ids.js'
import { books } from './registry.js'

export function addBook(title, { copies = 1 } = {}) {
  if (copies < 1) throw new RangeError('a book has at least one copy')
  const id = nextId('book')
  books.set(id, { id, title, copies })
  return id
}

export function bookOf(id) {
  const book = books.get(id)
  if (book === undefined) throw new Error(`no book ${id}`)
  return book
}
