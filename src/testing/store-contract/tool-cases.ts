import { defaultRetention } from '../../stores/index.ts'
import type { Store, ToolWrite } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'

function write(store: Store, nowMs: number, writes: readonly ToolWrite[], tenant = 'acme'): Promise<void> {
  const scope = { tenant, session: '' }
  return store.commit({ scope, nowMs, writes: writes.map((one) => ({ table: 'tools', ...one })) })
}

function call(id: string, outcome: string, more: object = {}): ToolWrite {
  return { call: { id, tool: 'web::get', outcome, tookMs: 5, tokens: 10, ...more } }
}

/** Tools of a registry, and what became of them. */
export function toolCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('tools: one by its id, for its tenant, until it is dropped', async ({ store, openAgain }) => {
      const value = { description: 'odd é and "quoted"', inputSchema: { type: 'object' } }
      await write(store, 1, [
        { put: 'web::get', kind: 'own', value: { description: 'first' } },
        { put: 'app::b', kind: 'own', value: 1 },
        { put: 'app::a', kind: 'pin', value: null },
      ])
      await write(await openAgain(), 2, [{ put: 'web::get', kind: 'own', value }])
      const tools = store.read('tools')
      same(await tools.get('acme', 'web::get'), { id: 'web::get', kind: 'own', value, writtenMs: 2 })
      same(
        (await tools.list('acme', 'own')).map(({ id }) => id),
        ['app::b', 'web::get'],
      )
      same(await tools.list('acme', 'pin'), [{ id: 'app::a', kind: 'pin', value: null, writtenMs: 1 }])
      same([await tools.get('other', 'web::get'), await tools.list('other', 'own')], [undefined, []])
      await write(store, 3, [{ drop: 'web::get' }], 'other')
      await write(store, 3, [{ drop: 'app::b' }])
      same(
        (await tools.list('acme', 'own')).map(({ id }) => id),
        ['web::get'],
      )
    }),

    makeCase('tools: a call counts once, and what its caller got wrong is no failure', async ({ store }) => {
      await write(store, 1, [{ offered: ['web::get', 'web::get', 'app::a'] }])
      await write(store, 2, [call('c1', 'ok', { session: 's1', requestId: 'r1' }), call('c2', 'timeout')])
      await write(store, 3, [call('c1', 'failed'), call('c3', 'invalid-arguments')])
      await write(store, 3, [call('c1', 'ok')], 'other')
      const tools = store.read('tools')
      same(await tools.usage('acme'), {
        'web::get': { offered: 1, called: 3, failed: 1, tokens: 30 },
        'app::a': { offered: 1, called: 0, failed: 0, tokens: 0 },
      })
      const common = { tool: 'web::get', tookMs: 5, tokens: 10 }
      same(await tools.calls({ tenant: 'acme', limit: 2 }), [
        { id: 'c3', outcome: 'invalid-arguments', atMs: 3, ...common },
        { id: 'c2', outcome: 'timeout', atMs: 2, ...common },
      ])
      same(await tools.calls({ tenant: 'acme', tool: 'app::a', limit: 2 }), [])
      same(await tools.calls({ tenant: 'other', tool: 'web::get', limit: 2 }), [
        { id: 'c1', outcome: 'ok', atMs: 3, ...common },
      ])
      same((await tools.calls({ tenant: 'acme', limit: 9 })).at(-1), {
        id: 'c1',
        outcome: 'ok',
        atMs: 2,
        session: 's1',
        requestId: 'r1',
        ...common,
      })
    }),

    makeCase('tools: calls go when receipts of their age would; tools and sums stay', async ({ store }) => {
      await write(store, 1, [{ put: 'web::get', kind: 'own', value: 1 }, call('c1', 'ok')])
      await write(store, 1000, [call('c2', 'ok')])
      const own = { sessionIdleMs: 1, receiptAgeMs: 0 }
      await write(store, 1500, [call('c1', 'ok')], 'brief')
      await store.prune(2000, { ...defaultRetention, receiptAgeMs: 1500, tenants: { brief: own } })
      const tools = store.read('tools')
      same(
        (await tools.calls({ tenant: 'acme', limit: 9 })).map(({ id }) => id),
        ['c2'],
      )
      same(await tools.calls({ tenant: 'brief', limit: 9 }), [])
      same((await tools.usage('acme'))['web::get']?.called, 2)
      same((await tools.list('acme', 'own')).length, 1)
    }),
  ]
}
