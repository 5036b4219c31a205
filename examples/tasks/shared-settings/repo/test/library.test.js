import assert from 'node:assert/strict'
import test, { beforeEach } from 'node:test'
import { addBook, addMember, configure, feeOf, giveBack, lend, overdue, report, reset } from '../src/index.js'

let today = '2025-01-01'
beforeEach(() => {
  reset()
  today = '2025-01-01'
  configure({ today: () => today, maxLoans: 3 })
})

test('a loan that comes back in time costs nothing', () => {
  const [book, member] = [addBook('Emma'), addMember('Ada')]
  assert.equal(lend(book, member), '2025-01-22')
  assert.throws(() => lend(book, member), /no copy is left/)
  today = '2025-01-22'
  assert.equal(giveBack(book, member), 0)
})

test('a late one costs by the day', () => {
  const [book, member] = [addBook('Emma'), addMember('Ada')]
  lend(book, member)
  today = '2025-01-24'
  assert.equal(overdue().length, 1)
  assert.equal(feeOf(member), 50)
  assert.equal(report(), '2025-01-22 Emma (Ada)\n0.50 EUR')
})
