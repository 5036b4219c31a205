import type { StatisticsQuery } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { ended, result } from './ended-receipts.ts'
import { scope } from './fixtures.ts'

const hourMs = 3_600_000

/** What requests have come to by key, team and user. */
export function askerCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('tells requests apart by who has asked, also when their receipts are gone', async ({ store }) => {
      const ci = { key: 'key-1', team: 'build', user: 'robot' }
      await ended(store, { name: 'r1', result: result({ asker: ci }) })
      await ended(store, { name: 'r2', model: 'other-model', result: result({ asker: ci }) })
      await ended(store, { name: 'r3', result: result({ asker: { key: 'key-2', team: 'build' } }) })
      await ended(store, { name: 'r4', result: result() })
      const tally = { model: 'a', policy: '', figures: { requests: 5 }, asker: { key: 'key-2', user: 'ann' } }
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'results', tally }] })
      await store.prune(50 * hourMs, { sessionIdleMs: 1, receiptAgeMs: 1, maxReceipts: 0 })
      const asked = async (query: StatisticsQuery) =>
        (await store.read('results').statistics('acme', query)).map(({ figures, ...group }) => [
          group,
          figures.requests,
        ])
      same(await asked({ by: ['team'] }), [
        [{ team: '' }, 5],
        [{ team: 'build' }, 3],
      ])
      same(await asked({ by: ['key', 'user'] }), [
        [{ key: 'key-1', user: 'robot' }, 2],
        [{ key: 'key-2', user: '' }, 1],
        [{ key: 'key-2', user: 'ann' }, 5],
      ])
      same(await asked({ by: ['model', 'user'], model: 'other-model' }), [[{ model: 'other-model', user: 'robot' }, 1]])
      same(await asked({}), [[{}, 9]])
      same(await store.read('results').statistics('umbrella', { by: ['team'] }), [])
    }),

    makeCase('askers whom nobody could count are counted together, by their team', async ({ store }) => {
      const keys = Array.from({ length: 510 }, (_, index) => `key-${index}`)
      const one = (key: string) => ({ model: 'a', policy: '', figures: { requests: 1 }, asker: { key, team: 'build' } })
      for (const key of keys) await store.commit({ scope, nowMs: 1, writes: [{ table: 'results', tally: one(key) }] })
      const rows = await store.read('results').statistics('acme', { by: ['key'] })
      same(rows.find(({ key }) => key === 'other')?.figures.requests, 10)
      same(
        (await store.read('results').statistics('acme', { by: ['team'] })).map(({ team }) => team),
        ['build'],
      )
    }),
  ]
}
