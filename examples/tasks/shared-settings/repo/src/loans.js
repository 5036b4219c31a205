import { bookOf } from './books.js'
import { addDays, daysFrom } from './days.js'
import { feeFor } from './fees.js'
import { memberOf } from './members.js'
import { loans } from './registry.js'
import { settings } from './settings.js'

const loanDays = settings.loanDays

export function lend(bookId, memberId) {
  const book = bookOf(bookId)
  const member = memberOf(memberId)
  const open = loans.filter((loan) => loan.returned === undefined)
  if (member.blocked) throw new Error(`${member.name} is blocked`)
  if (open.filter((loan) => loan.memberId === memberId).length >= settings.maxLoans) throw new Error('too many loans')
  if (open.filter((loan) => loan.bookId === bookId).length >= book.copies) throw new Error('no copy is left')
  const due = addDays(settings.today(), loanDays)
  loans.push({ bookId, memberId, due, returned: undefined })
  return due
}

export function giveBack(bookId, memberId) {
  const loan = loans.find((each) => each.bookId === bookId && each.memberId === memberId && each.returned === undefined)
  if (loan === undefined) throw new Error('no such loan')
  loan.returned = settings.today()
  const fee = feeFor(loan)
  if (fee >= settings.maxFee) memberOf(memberId).blocked = true
  return fee
}

export function overdue() {
  return loans
    .filter((loan) => loan.returned === undefined && daysFrom(loan.due, settings.today()) > 0)
    .map(({ bookId, memberId, due }) => ({ bookId, memberId, due }))
}
