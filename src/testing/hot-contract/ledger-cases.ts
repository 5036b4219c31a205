import type { AccountEntry, Hot, LedgerOwner, Reserved } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { same } from '../store-contract/contract-case.ts'
import type { HotUnderTest } from './hot-under-test.ts'

const graceMs = 1000
const one: LedgerOwner = { owner: 'one', ownerMs: 30_000, graceMs }
const other: LedgerOwner = { ...one, owner: 'other' }

function entry(amount: number, most?: number, account = 'usd'): AccountEntry {
  return { account, amount, ttlMs: 3_600_000, ...(most !== undefined && { most }) }
}

function reserve(hot: Hot, id: string, entries: readonly AccountEntry[], owner = one): Promise<Reserved> {
  return hot.reserve('acme', { ...owner, id, entries })
}

/** A ledger that grants. */
async function opened({ hot, advance }: HotUnderTest, sums: readonly AccountEntry[] = []): Promise<void> {
  await hot.announce('acme', one, [])
  await advance(graceMs + 1)
  same(await confirm(hot, sums), true)
}

async function confirm(hot: Hot, sums: readonly AccountEntry[], recorded: readonly string[] = []): Promise<boolean> {
  const view = await hot.ledger('acme')
  return hot.confirm('acme', { epoch: view?.epoch ?? '', settlements: view?.settlements ?? 0, sums, recorded })
}

/** Reservations that are counted before they are spent. */
export function ledgerCases(
  make: (what: string, work: (under: HotUnderTest) => Promise<void>) => ContractCase,
): readonly ContractCase[] {
  return [...reserveCases(make), ...recoveryCases(make)]
}

function reserveCases(make: Parameters<typeof ledgerCases>[0]): readonly ContractCase[] {
  return [
    make('a reservation is granted whole or not at all, within every limit that it names', async (under) => {
      await opened(under)
      const { hot } = under
      const granted = await reserve(hot, 'a', [entry(8, 10), entry(2, 5, 'tokens'), entry(9, undefined, 'free')])
      same([granted.outcome, granted.accounts.map(({ open }) => open)], ['granted', [8, 2, 9]])
      const refused = await reserve(hot, 'b', [entry(1, 10), entry(4, 5, 'tokens')])
      same([refused.outcome, refused.at, refused.accounts[0]?.open], ['refused', 1, 8])
      const again = await reserve(hot, 'a', [entry(8, 10)])
      same([again.outcome, again.accounts[0]?.open], ['granted', 8])
      same((await hot.reserve('acme', { ...one, entries: [entry(0, 10)] })).accounts, [{ settled: 0, open: 8 }])
    }),

    make('of many reservations at once no more are granted than there is room for', async (under) => {
      await opened(under)
      const { hot, beside } = under
      const all = Array.from({ length: 64 }, (_, at) =>
        reserve(at % 2 === 0 ? hot : beside, `r${at}`, [entry(3, 100)], at % 2 === 0 ? one : other),
      )
      same((await Promise.all(all)).filter(({ outcome }) => outcome === 'granted').length, 33)
    }),

    make('what it came to takes the place of what was reserved, once', async (under) => {
      await opened(under)
      const { hot, beside } = under
      await reserve(hot, 'a', [entry(8, 10)])
      same(await beside.settle('acme', { id: 'a', spent: [entry(3)] }), 'settled')
      same(await hot.settle('acme', { id: 'a', spent: [entry(3)] }), 'unknown')
      const next = await reserve(hot, 'b', [entry(8, 10)])
      same([next.outcome, next.accounts], ['refused', [{ settled: 3, open: 0 }]])
      same((await reserve(hot, 'c', [entry(7, 10)])).outcome, 'granted')
      same(await hot.settle('acme', { id: 'c', spent: [] }), 'settled')
      same((await reserve(hot, 'd', [entry(0, 10)])).accounts, [{ settled: 3, open: 0 }])
    }),

    make('an id that was settled is not opened again, by whatever comes late', async (under) => {
      await opened(under)
      const { hot } = under
      same(await hot.settle('acme', { id: 'a', spent: [entry(5)] }), 'unknown')
      same((await reserve(hot, 'a', [entry(1, 10)])).outcome, 'refused')
      await hot.announce('acme', one, [{ id: 'a', entries: [entry(1)] }])
      same((await hot.ledger('acme'))?.openIds, [])
      same((await hot.reserve('acme', { ...one, entries: [entry(0)] })).accounts, [{ settled: 0, open: 0 }])
    }),

    make('one ledger tells nothing of another, and amounts are exact', async (under) => {
      const most = 9_007_199_254_740_000
      await opened(under, [entry(most - 11)])
      const { hot } = under
      same((await reserve(hot, 'a', [entry(11, most)])).outcome, 'granted')
      same((await reserve(hot, 'b', [entry(1, most)])).outcome, 'refused')
      same(await hot.settle('acme', { id: 'a', spent: [entry(10)] }), 'settled')
      same((await reserve(hot, 'b', [entry(1, most)])).accounts, [{ settled: most - 1, open: 1 }])
      same(await hot.ledger('other'), undefined)
      same(await hot.settle('other', { id: 'a', spent: [] }), 'absent')
    }),
  ]
}

function recoveryCases(make: Parameters<typeof ledgerCases>[0]): readonly ContractCase[] {
  return [
    make(
      'a new ledger grants nothing before its owners could announce themselves, and sums are told',
      async (under) => {
        const { hot, beside, advance } = under
        const early = await reserve(hot, 'a', [entry(1, 10)])
        same([early.outcome, early.waitMs > 0 && early.waitMs <= graceMs], ['waiting', true])
        same(await confirm(hot, []), false)
        await beside.announce('acme', other, [{ id: 'b', entries: [entry(4)] }])
        await advance(graceMs + 1)
        same((await reserve(hot, 'a', [entry(1, 10)])).outcome, 'unconfirmed')
        same(await confirm(hot, [entry(3)]), true)
        const refused = await reserve(hot, 'a', [entry(4, 10)])
        same([refused.outcome, refused.accounts], ['refused', [{ settled: 3, open: 4 }]])
        same((await reserve(hot, 'a', [entry(3, 10)])).outcome, 'granted')
      },
    ),

    make(
      'sums that were read before something was settled are not taken; those that hold it close it',
      async (under) => {
        await opened(under)
        const { hot } = under
        await reserve(hot, 'a', [entry(2, 10)])
        await reserve(hot, 'b', [entry(5, 10)])
        const view = await hot.ledger('acme')
        same(view?.openIds.toSorted(), ['a', 'b'])
        await hot.settle('acme', { id: 'a', spent: [entry(1)] })
        const { epoch = '', settlements = 0 } = view ?? {}
        same(await hot.confirm('acme', { epoch, settlements, sums: [entry(0)], recorded: [] }), false)
        same(
          await hot.confirm('acme', { epoch: 'another', settlements: settlements + 1, sums: [], recorded: [] }),
          false,
        )
        same(await confirm(hot, [entry(6)], ['b']), true)
        same(await hot.settle('acme', { id: 'b', spent: [entry(5)] }), 'unknown')
        same((await reserve(hot, 'c', [entry(1, 10)])).accounts, [{ settled: 6, open: 1 }])
      },
    ),

    make(
      'reservations of an owner that says nothing more are told, and count until they are settled',
      async (under) => {
        await opened(under)
        const { hot, beside, advance } = under
        const [brief, next] = [one, other].map((owner) => ({ ...owner, ownerMs: 900 })) as [LedgerOwner, LedgerOwner]
        await reserve(hot, 'a', [entry(6, 10)], brief)
        await advance(600)
        same(await hot.announce('acme', brief, [{ id: 'a', entries: [entry(6)] }]), [])
        await advance(600)
        same((await reserve(beside, 'b', [entry(1, 10)], next)).lapsed, [])
        await advance(600)
        const late = await reserve(beside, 'c', [entry(5, 10)], next)
        same([late.outcome, late.lapsed], ['refused', [{ id: 'a', entries: [{ account: 'usd', amount: 6 }] }]])
        same(await beside.settle('acme', { id: 'a', spent: [entry(6)] }), 'settled')
        same(await beside.announce('acme', next, []), [])
        same((await reserve(beside, 'd', [entry(3, 10)], next)).accounts, [{ settled: 6, open: 4 }])
      },
    ),
    make('a ledger that is removed is not there any more; others stay', async (under) => {
      const { hot } = under
      await opened(under, [entry(4)])
      await hot.announce('rival', one, [])
      await hot.dropLedger('acme')
      await hot.dropLedger('nobody')
      same(await hot.ledger('acme'), undefined)
      same((await hot.ledger('rival'))?.openIds, [])
      same(await hot.settle('acme', { id: 'a', spent: [entry(1)] }), 'absent')
    }),
  ]
}
