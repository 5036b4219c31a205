import type { Scope, Store, TurnItem } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { scope } from './fixtures.ts'

function said(itemId: string, text: string, more: Partial<TurnItem> = {}): TurnItem {
  return { itemId, kind: 'text', role: 'user', section: 'history', text, ...more }
}

const long = `${'many words that are of no account '.repeat(30)}and a heron`

function log(store: Store, at: Scope, nowMs: number, ...items: readonly TurnItem[]): Promise<void> {
  return store.commit({ scope: at, nowMs, writes: [{ table: 'turns', requestId: `r${nowMs}`, items }] })
}

/** The log of a session. */
export function turnCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('keeps what each request added, in order, for any opener', async ({ store, openAgain }) => {
      const fork = { ...scope, lane: 'fork' }
      const result = said('c1', long, { kind: 'tool-result', role: 'tool', toolName: 'read' })
      await log(store, scope, 1, said('m1', 'first'), said('m2', 'odd \uD800 and "quoted"'))
      await log(await openAgain(), scope, 2, result)
      await log(store, scope, 3)
      await log(store, fork, 4, said('m1', 'forked'))
      const list = (query: object) => store.read('turns').list('acme', 's1', { limit: 9, ...query })
      const turn = (number: number, lane: string, createdMs: number, ...items: readonly TurnItem[]) =>
        ({ turn: number, lane, requestId: `r${createdMs}`, createdMs, items }) as const
      const second = turn(2, '', 2, result)
      const all = [
        turn(1, '', 1, said('m1', 'first'), said('m2', 'odd \uD800 and "quoted"')),
        second,
        turn(3, '', 3),
        turn(1, 'fork', 4, said('m1', 'forked')),
      ]
      same(await list({}), all)
      same(await list({ lane: '' }), all.slice(0, 3))
      same(await list({ from: 2, to: 2 }), [second])
      same(await list({ lane: '', limit: 1 }), all.slice(0, 1))
      same(await store.read('turns').list('other', 's1', { limit: 9 }), [])
      same(await store.read('turns').list('acme', 'none', { limit: 9 }), [])
      const has = store.read('turns').has
      same([await has('acme', 's1', 'r4'), await has('acme', 's1', 'r5')], [true, false])
      same([await has('other', 's1', 'r4'), await has('acme', 's2', 'r4')], [false, false])
    }),

    makeCase('finds in a log what was said, the best first, and nothing of other sessions', async ({ store }) => {
      const other = { tenant: 'acme', session: 's2' }
      await log(store, scope, 1, said('m1', 'the heron stands'), said('pixels', 'heron', { kind: 'media' }))
      await log(store, other, 2, said('m1', 'a heron elsewhere'))
      const search = async (words: string, limit = 9): Promise<readonly string[]> =>
        (await store.read('turns').search(scope, words, limit)).map(({ turn, item }) => `${turn} ${item.itemId}`)
      same(await search('HERONS?'), ['1 m1'])
      await log(store, { ...scope, lane: 'fork' }, 3, said('c1', long, { toolName: 'read' }), said('m9', 'nothing'))
      same(await search('herons'), ['1 m1', '1 c1'])
      same(await search('herons', 1), ['1 m1'])
      same(await search('zebra'), [])
      same(await search(''), [])
    }),

    makeCase(
      'finds in all conversations of a tenant what was said, and nothing of other tenants',
      async ({ store }) => {
        await log(store, scope, 1, said('m1', 'the heron stands'), said('pixels', 'heron', { kind: 'media' }))
        await log(store, { tenant: 'acme', session: 's2' }, 2, said('m1', 'a heron, and another heron'))
        await log(store, { tenant: 'other', session: 's1' }, 3, said('m1', 'a heron of somebody else'))
        const search = async (tenant: string, words: string, limit = 9): Promise<readonly string[]> =>
          (await store.read('turns').searchTenant(tenant, words, limit)).map(
            ({ session, requestId, item }) => `${session} ${requestId} ${item.itemId}`,
          )
        same((await search('acme', 'heron')).toSorted(), ['s1 r1 m1', 's2 r2 m1'])
        same((await search('acme', 'heron', 1)).length, 1)
        same(await search('other', 'herons'), ['s1 r3 m1'])
        await log(store, scope, 4, said('m2', 'a zebra', { kind: 'tool-result', toolName: 'watch' }))
        same(await search('acme', 'zebra'), ['s1 r4 m2'])
        same(await search('none', 'heron'), [])
        same(await search('acme', ''), [])
      },
    ),

    makeCase('a log goes with its session', async ({ store }) => {
      await log(store, scope, 1, said('m1', 'the heron'))
      same((await store.read('turns').search(scope, 'heron', 9)).length, 1)
      await store.prune(1e12, { sessionIdleMs: 1, receiptAgeMs: 1, maxReceipts: 9 })
      same(await store.read('turns').list('acme', 's1', { limit: 9 }), [])
      await log(store, scope, 1e12, said('m1', 'another bird'))
      same(await store.read('turns').search(scope, 'heron', 9), [])
      same((await store.read('turns').search(scope, 'bird', 9)).length, 1)
    }),
  ]
}
