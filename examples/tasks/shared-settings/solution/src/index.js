import { openBooks } from './books.js'
import { openFees } from './fees.js'
import { openIds } from './ids.js'
import { openLoans } from './loans.js'
import { openMembers } from './members.js'
import { openReport } from './report.js'
import { defaults } from './settings.js'

/** A library of its own. */
export function openLibrary(settings = {}) {
  const parts = { settings: { ...defaults, ...settings }, loans: [], nextId: openIds() }
  const { addBook, bookOf } = openBooks(parts)
  const { addMember, memberOf } = openMembers(parts)
  const { feeFor, feeOf } = openFees(parts)
  const { lend, giveBack, overdue } = openLoans({ ...parts, bookOf, memberOf, feeFor })
  const report = openReport({ ...parts, bookOf, memberOf, feeOf, overdue })
  return { addBook, addMember, lend, giveBack, overdue, report, feeOf }
}
