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
      await store.commit({ scope, nowMs: 1, originals })
      for (const original of originals) same(await store.original(scope, original.handle), original)
    }),

    makeCase('an original keeps what is known about it', async ({ store }) => {
      const leftOut = { itemId: 'i', rung: 'trimmed' as const, reason: 'economy' as const, requestId: 'r1' }
      const original = { handle: 'h', text: 'body', kind: 'tool-result' as const, toolName: 'read', leftOut }
      await store.commit({ scope, nowMs: 1, originals: [original] })
      same(await store.original(scope, 'h'), original)
    }),

    makeCase(
      'a handle resolves in all lanes of its session, in no other, and without one in its tenant only',
      async ({ store }) => {
        const other = { tenant: 'acme', session: 's2' }
        const stranger = { tenant: 'umbrella', session: 's1' }
        await store.commit({ scope, nowMs: 1, originals: [{ handle: 'h', text: 'of s1' }] })
        await store.commit({ scope: other, nowMs: 2, originals: [{ handle: 'h', text: 'of s2' }] })
        same((await store.original(scope, 'h'))?.text, 'of s1')
        same((await store.original(other, 'h'))?.text, 'of s2')
        same((await store.original({ ...scope, lane: 'another' }, 'h'))?.text, 'of s1')
        same(await store.original({ tenant: 'acme', session: 'new' }, 'h'), undefined)
        same((await store.original({ tenant: 'acme' }, 'h')) !== undefined, true)
        same(await store.original(stranger, 'h'), undefined)
        same(await store.original({ tenant: 'umbrella' }, 'h'), undefined)
      },
    ),

    makeCase(
      'V-025: all originals of a session are found, of all its lanes and of no other session',
      async ({ store }) => {
        const known = { handle: 'h1', text: 'first', toolName: 'read' }
        await store.commit({ scope, nowMs: 1, originals: [known, { handle: 'h2', text: 'second' }] })
        await store.commit({
          scope: { ...scope, lane: 'another' },
          nowMs: 2,
          originals: [
            { handle: 'h2', text: 'second' },
            { handle: 'h3', text: 'third' },
          ],
        })
        await store.commit({
          scope: { tenant: 'acme', session: 's2' },
          nowMs: 3,
          originals: [{ handle: 'h4', text: 'x' }],
        })
        await store.commit({
          scope: { ...scope, tenant: 'umbrella' },
          nowMs: 3,
          originals: [{ handle: 'h5', text: 'x' }],
        })
        const found = await store.originals(scope)
        same(
          [...found].toSorted((a, b) => (a.handle < b.handle ? -1 : 1)),
          [known, { handle: 'h2', text: 'second' }, { handle: 'h3', text: 'third' }],
        )
        same(await store.originals({ tenant: 'acme', session: 'new' }), [])
      },
    ),

    makeCase('of an original the decision is kept that first left it out', async ({ store }) => {
      const leftOut = (requestId: string) => ({
        itemId: 'i',
        rung: 'line' as const,
        reason: 'economy' as const,
        requestId,
      })
      await store.commit({ scope, nowMs: 1, originals: [{ handle: 'h', text: 'body', leftOut: leftOut('r1') }] })
      await store.commit({ scope, nowMs: 2, originals: [{ handle: 'h', text: 'body', leftOut: leftOut('r2') }] })
      same((await store.original(scope, 'h'))?.leftOut?.requestId, 'r1')
    }),

    makeCase('N-37: a handle never comes to stand for another text', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, originals: [{ handle: 'h', text: 'first' }] })
      await store.commit({ scope, nowMs: 2, originals: [{ handle: 'h', text: 'first' }] })
      const second = store.commit({ scope, nowMs: 3, ledger: ledger(1), originals: [{ handle: 'h', text: 'second' }] })
      await rejectsWith(second, 'store-failed')
      same((await store.original(scope, 'h'))?.text, 'first')
      same((await store.session(scope))?.ledger, undefined)
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
