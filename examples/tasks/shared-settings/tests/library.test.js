import assert from 'node:assert/strict'
import test from 'node:test'
import * as library from '../src/index.js'

const { openLibrary } = library

test('the module has openLibrary only', () => assert.deepEqual(Object.keys(library), ['openLibrary']))

test('ids, loans and members belong to one library', () => {
  const [one, other] = [openLibrary(), openLibrary()]
  assert.deepEqual([one.addBook('Emma'), one.addBook('Ulysses'), other.addBook('Dune')], ['book-1', 'book-2', 'book-1'])
  assert.deepEqual([one.addMember('Ada'), other.addMember('Bob')], ['member-1', 'member-1'])
  one.lend('book-1', 'member-1')
  assert.throws(() => one.lend('book-1', 'member-1'), /no copy is left/)
  other.lend('book-1', 'member-1')
  assert.throws(() => other.lend('book-2', 'member-1'), /no book book-2/)
  assert.throws(() => other.lend('book-1', 'member-2'), /no member member-2/)
  assert.throws(() => other.giveBack('book-1', 'member-9'), /no such loan/)
})

test('settings belong to one library, and are copied', () => {
  let today = '2025-03-01'
  const own = { loanDays: 7, feePerDay: 100, maxFee: 300, maxLoans: 1, currency: 'CHF', today: () => today }
  const one = openLibrary(own)
  own.loanDays = 100
  const other = openLibrary({ today: () => today })
  for (const each of [one, other]) {
    each.addBook('Emma', { copies: 2 })
    each.addBook('Dune')
    each.addMember('Ada')
  }
  assert.equal(one.lend('book-1', 'member-1'), '2025-03-08')
  assert.equal(other.lend('book-1', 'member-1'), '2025-03-22')
  assert.throws(() => one.lend('book-2', 'member-1'), /too many loans/)
  other.lend('book-2', 'member-1')
  today = '2025-03-10'
  assert.deepEqual([one.feeOf('member-1'), other.feeOf('member-1')], [200, 0])
  assert.equal(one.report(), '2025-03-08 Emma (Ada)\n2.00 CHF')
  assert.equal(other.report(), '0.00 EUR')
  assert.deepEqual(one.overdue(), [{ bookId: 'book-1', memberId: 'member-1', due: '2025-03-08' }])
  today = '2025-04-10'
  assert.equal(one.giveBack('book-1', 'member-1'), 300)
  assert.throws(() => one.lend('book-2', 'member-1'), /Ada is blocked/)
  assert.equal(other.giveBack('book-1', 'member-1'), 475)
  other.lend('book-1', 'member-1')
})

test('functions may be taken out of the library', () => {
  const { addBook, addMember, lend, report } = openLibrary()
  lend(addBook('Emma'), addMember('Ada'))
  assert.equal(report(), '0.00 EUR')
  assert.throws(() => addBook('none', { copies: 0 }), RangeError)
})

test('members of a library are those that were asked for', () => {
  assert.deepEqual(Object.keys(openLibrary()).toSorted(), ['addBook', 'addMember', 'feeOf', 'giveBack', 'lend', 'overdue', 'report'])
})

test('what is owed is known anew on each day, also after a book came back', () => {
  let today = '2025-01-01'
  const { addBook, addMember, lend, giveBack, feeOf } = openLibrary({ today: () => today })
  lend(addBook('Emma'), addMember('Ada'))
  today = '2025-01-23'
  assert.equal(feeOf('member-1'), 25)
  today = '2025-01-25'
  assert.equal(feeOf('member-1'), 75)
  giveBack('book-1', 'member-1')
  today = '2025-02-25'
  assert.equal(feeOf('member-1'), 75)
})
