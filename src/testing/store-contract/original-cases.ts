import type { Original, Scope } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'
import { ledger, scope } from './fixtures.ts'

export function originalCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('N-37: an original comes back as it was, whatever characters it has', async ({ store }) => {
      const odd = ['', '\0', 'a\0b', '\uD800', 'x\uDFFFy', '"\\ud800"', '🦉', '\r\n\t', '\uFFFD', '\uFEFF']
      const texts = [...odd, ...everyUnit()]
      const originals = texts.map((text, index) => ({ handle: `h${index}`, text }))
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'originals', originals }] })
      for (const original of originals) same(await store.read('originals').get(scope, original.handle), original)
    }),

    makeCase('finds originals of a session by what they say, the best first, and no others', async ({ store }) => {
      const said = (handle: string, text: string, more: object = {}) =>
        ({ handle, text, kind: 'tool-result' as const, toolName: 'read', ...more }) as const
      const search = async (words: string, at: Scope = scope, maxChars = 1e6): Promise<readonly string[]> =>
        (await store.read('originals').search(at, words, { maxChars })).map(({ handle }) => handle)
      const lane = { ...scope, lane: 'fork' }
      const other = { tenant: 'acme', session: 's2' }
      const put = (at: Scope, ...originals: Original[]) =>
        store.commit({ scope: at, nowMs: 1, writes: [{ table: 'originals', originals }] })
      same(await search('anything'), [])
      await put(scope, said('h1', 'retries back off'), said('h2', `one retry among ${'many other words '.repeat(90)}`))
      await put(
        scope,
        said('pixels', 'retries', { kind: 'media' }),
        said('again', 'retries', { toolName: 'rehydrate' }),
      )
      await put(other, said('h4', 'retries of another session'))
      same(await search('How do RETRIES back off?'), ['h1', 'h2'])
      same(await search('retry'), ['h1', 'h2'])
      same(await search('zebras'), [])
      same(await search('" OR terms: * -- (retries'), ['h1', 'h2'])
      same(await search('retries', other), ['h4'])
      same(await search('retries', { ...scope, tenant: 'other' }), [])
      same(await search('retry', scope, 20), ['h1'])
      // What is added later is found, too, in whichever lane, and in scripts without spaces between words.
      await put(lane, said('h5', 'the backoff doubles\n指数バックオフの上限は三十秒'), said('h6', 'retries back off'))
      same(await search('doubled'), ['h5'])
      same(await search('上限'), ['h5'])
      same(await search('指数', lane), ['h5'])
      same(new Set(await search('back off')), new Set(['h1']))
    }),

    makeCase(
      'originals are listed by kind and reason, without their texts, in the order of their handles',
      async ({ store }) => {
        const originals = [
          { handle: 'c', text: 'one', kind: 'tool-result' as const, reason: 'masked' as const },
          { handle: 'a', text: 'two', kind: 'text' as const, reason: 'compacted' as const },
          { handle: 'b', text: 'three', kind: 'tool-result' as const, reason: 'evicted' as const },
          { handle: 'd', text: 'four' },
        ]
        await store.commit({ scope, nowMs: 1, writes: [{ table: 'originals', originals }] })
        const handles = async (query: { readonly limit?: number; readonly [name: string]: unknown }) =>
          (await store.read('originals').list(scope, { limit: 9, ...query })).map(({ handle }) => handle)
        same(await handles({}), ['a', 'b', 'c', 'd'])
        same(await handles({ limit: 2 }), ['a', 'b'])
        same(await handles({ kind: 'tool-result' }), ['b', 'c'])
        same(await handles({ kind: 'tool-result', reason: 'masked' }), ['c'])
        same(await store.read('originals').list(scope, { limit: 1 }), [
          { handle: 'a', kind: 'text', reason: 'compacted' },
        ])
        same(await store.read('originals').list({ ...scope, tenant: 'umbrella' }, { limit: 9 }), [])
      },
    ),

    makeCase('an original keeps what is known about it', async ({ store }) => {
      const leftOut = { itemId: 'i', rung: 'trimmed' as const, reason: 'economy' as const, requestId: 'r1' }
      const original = { handle: 'h', text: 'body', kind: 'tool-result' as const, toolName: 'read', leftOut }
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'originals', originals: [original] }] })
      same(await store.read('originals').get(scope, 'h'), original)
    }),

    makeCase(
      'a handle resolves in all lanes of its session, in no other, and without one in its tenant only',
      async ({ store }) => {
        const other = { tenant: 'acme', session: 's2' }
        const stranger = { tenant: 'umbrella', session: 's1' }
        await store.commit({
          scope,
          nowMs: 1,
          writes: [{ table: 'originals', originals: [{ handle: 'h', text: 'of s1' }] }],
        })
        await store.commit({
          scope: other,
          nowMs: 2,
          writes: [{ table: 'originals', originals: [{ handle: 'h', text: 'of s2' }] }],
        })
        same((await store.read('originals').get(scope, 'h'))?.text, 'of s1')
        same((await store.read('originals').get(other, 'h'))?.text, 'of s2')
        same((await store.read('originals').get({ ...scope, lane: 'another' }, 'h'))?.text, 'of s1')
        same(await store.read('originals').get({ tenant: 'acme', session: 'new' }, 'h'), undefined)
        same((await store.read('originals').get({ tenant: 'acme' }, 'h')) !== undefined, true)
        same(await store.read('originals').get(stranger, 'h'), undefined)
        same(await store.read('originals').get({ tenant: 'umbrella' }, 'h'), undefined)
      },
    ),

    makeCase(
      'V-025: all originals of a session are found, of all its lanes and of no other session',
      async ({ store }) => {
        const known = { handle: 'h1', text: 'first', toolName: 'read' }
        await store.commit({
          scope,
          nowMs: 1,
          writes: [{ table: 'originals', originals: [known, { handle: 'h2', text: 'second' }] }],
        })
        await store.commit({
          scope: { ...scope, lane: 'another' },
          nowMs: 2,
          writes: [
            {
              table: 'originals',
              originals: [
                { handle: 'h2', text: 'second' },
                { handle: 'h3', text: 'third' },
              ],
            },
          ],
        })
        await store.commit({
          scope: { tenant: 'acme', session: 's2' },
          nowMs: 3,
          writes: [{ table: 'originals', originals: [{ handle: 'h4', text: 'x' }] }],
        })
        await store.commit({
          scope: { ...scope, tenant: 'umbrella' },
          nowMs: 3,
          writes: [{ table: 'originals', originals: [{ handle: 'h5', text: 'x' }] }],
        })
        const found = await store.read('originals').all(scope)
        same(
          [...found].toSorted((a, b) => (a.handle < b.handle ? -1 : 1)),
          [known, { handle: 'h2', text: 'second' }, { handle: 'h3', text: 'third' }],
        )
        same(await store.read('originals').all({ tenant: 'acme', session: 'new' }), [])
      },
    ),

    makeCase('of an original the decision is kept that first left it out', async ({ store }) => {
      const leftOut = (requestId: string) => ({
        itemId: 'i',
        rung: 'line' as const,
        reason: 'economy' as const,
        requestId,
      })
      await store.commit({
        scope,
        nowMs: 1,
        writes: [{ table: 'originals', originals: [{ handle: 'h', text: 'body', leftOut: leftOut('r1') }] }],
      })
      await store.commit({
        scope,
        nowMs: 2,
        writes: [{ table: 'originals', originals: [{ handle: 'h', text: 'body', leftOut: leftOut('r2') }] }],
      })
      same((await store.read('originals').get(scope, 'h'))?.leftOut?.requestId, 'r1')
    }),

    makeCase('N-37: a handle never comes to stand for another text', async ({ store }) => {
      await store.commit({
        scope,
        nowMs: 1,
        writes: [{ table: 'originals', originals: [{ handle: 'h', text: 'first' }] }],
      })
      await store.commit({
        scope,
        nowMs: 2,
        writes: [{ table: 'originals', originals: [{ handle: 'h', text: 'first' }] }],
      })
      const second = store.commit({
        scope,
        nowMs: 3,
        writes: [
          { table: 'sessions', ledger: ledger(1) },
          { table: 'originals', originals: [{ handle: 'h', text: 'second' }] },
        ],
      })
      await rejectsWith(second, 'store-failed')
      same((await store.read('originals').get(scope, 'h'))?.text, 'first')
      same((await store.read('sessions').get(scope))?.ledger, undefined)
    }),
  ]
}

/** Every UTF-16 code unit, in texts of 1024, lone surrogates included. */
function everyUnit(): string[] {
  return Array.from({ length: 64 }, (_, block) => {
    const units = Array.from({ length: 1024 }, (__, unit) => block * 1024 + ((unit * 7) % 1024))
    return String.fromCharCode(...units)
  })
}
