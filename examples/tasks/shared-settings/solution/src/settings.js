export const defaults = Object.freeze({
  loanDays: 21,
  maxLoans: 3,
  feePerDay: 25,
  maxFee: 1000,
  currency: 'EUR',
  today: () => '2025-01-01',
})
