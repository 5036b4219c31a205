import { daysFrom } from './days.js'

export function openFees({ settings, loans }) {
  const cache = new Map()

  function feeFor(loan) {
    const late = Math.max(0, daysFrom(loan.due, loan.returned ?? settings.today()))
    return Math.min(settings.maxFee, late * settings.feePerDay)
  }

  /** What a member owes by now; remembered for each day. */
  function feeOf(memberId) {
    const key = `${memberId} ${settings.today()}`
    if (!cache.has(key)) {
      const own = loans.filter((loan) => loan.memberId === memberId)
      cache.set(key, own.reduce((sum, loan) => sum + feeFor(loan), 0))
    }
    return cache.get(key)
  }
  return { feeFor, feeOf }
}
