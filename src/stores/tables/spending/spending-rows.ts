import type { SpendingSum, SpendingUnit, SpendingWrite } from './spending.ts'

type Columns = Readonly<Record<string, unknown>>

/** A sum, by the names of its columns. */
export function sumIn({ scope, day, unit, amount }: Columns): SpendingSum {
  return { scope: String(scope), day: String(day), unit: String(unit) as SpendingUnit, amount: Number(amount) }
}

/** What was counted for one id. */
export function spendingIn({ id, spent, lapsed }: Columns): SpendingWrite {
  const write = { id: String(id), spent: JSON.parse(String(spent)) as readonly SpendingSum[] }
  return Number(lapsed) === 1 ? { ...write, lapsed: true } : write
}
