import { PiecedText } from '../../core/index.ts'
import type { Receipt, ReceiptQuery } from '../../stores/index.ts'
import { defaultRetention } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { hidden, item, ledger, manifest, receipt, scope } from './fixtures.ts'

export function receiptCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('gives a receipt back whole, by request id and by pack id', async ({ store }) => {
      const items = [item(0), item(1, 'short'), item(2)]
      const written = receipt('r1', items, ledger(2))
      await store.commit({
        scope,
        nowMs: 7,
        writes: [
          { table: 'receipts', receipt: written },
          { table: 'sessions', ledger: ledger(3) },
        ],
      })
      const whole: Receipt = { ...written, session: 's1', createdMs: 7 }
      same(await store.read('receipts').get('acme', 'r1'), whole)
      same(await store.read('receipts').get('acme', 'pack-of-r1'), whole)
      const [listed] = await store.read('receipts').list('acme', { limit: 1 })
      same([listed?.step, listed !== undefined && 'origins' in listed], [whole.step, false])
    }),

    makeCase('gives of a receipt no more content than is wanted', async ({ store }) => {
      const request = { body: '{"model":"any"}', overlay: [], breakpoints: [], tools: [] }
      const written: Receipt = { ...receipt('r1', [item(0)], ledger(1)), request, session: 's1', createdMs: 7 }
      const { session: _session, createdMs: _createdMs, ...committed } = written
      await store.commit({ scope, nowMs: 7, writes: [{ table: 'receipts', receipt: committed }] })
      const { input: _input, request: _request, ...bare } = written
      const { input: _other, ...withRequest } = written
      same(await store.read('receipts').get('acme', 'r1', { input: false, request: false }), bare)
      same(await store.read('receipts').get('acme', 'pack-of-r1', { input: false }), withRequest)
      same(await store.read('receipts').get('acme', 'r1', {}), written)
    }),

    makeCase('gives a body back as a string that came in pieces', async ({ store }) => {
      const others = { overlay: [], breakpoints: [], tools: [] }
      const bodies = ['{"messages":[1', '{"messages":[1,22', '{"messages":[1,22]}']
      for (const [turn, body] of bodies.entries()) {
        const pieces = ['{"messages":', body.slice(12)].map((text) => ({ text, heldChars: text.length }))
        const request = { body: new PiecedText(pieces), ...others }
        await store.commit({
          scope,
          nowMs: turn,
          writes: [{ table: 'receipts', receipt: { ...receipt(`r${turn}`), request } }],
        })
      }
      for (const [turn, body] of bodies.entries())
        same((await store.read('receipts').get('acme', `r${turn}`))?.request, { body, ...others })
    }),

    makeCase('every receipt of a growing session stays as it was written', async ({ store }) => {
      const items = Array.from({ length: 12 }, (_, index) => item(index))
      for (let turn = 1; turn <= 12; turn += 1) {
        const written = receipt(`r${turn}`, items.slice(0, turn), ledger(turn - 1))
        await store.commit({
          scope,
          nowMs: turn,
          writes: [
            { table: 'receipts', receipt: written },
            { table: 'sessions', ledger: ledger(turn) },
          ],
        })
      }
      await store.commit({
        scope,
        nowMs: 13,
        writes: [{ table: 'receipts', receipt: receipt('trimmed', items.slice(6), ledger(2)) }],
      })
      for (let turn = 1; turn <= 12; turn += 1) {
        const found = await store.read('receipts').get('acme', `r${turn}`)
        same(found?.input?.items, items.slice(0, turn))
        same(found?.input?.ledger, ledger(turn - 1))
        same(found?.manifest, manifest(items.slice(0, turn)))
      }
      same((await store.read('receipts').get('acme', 'trimmed'))?.input?.items, items.slice(6))
    }),

    makeCase('gives back what its request was made of, to the character', async ({ store }) => {
      const said = ['short', 'long '.repeat(300), 'odd \uD800 \u2028 "quoted" \\ '.repeat(60)]
      const messages = said.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }))
      const bodyOf = (count: number): string =>
        JSON.stringify({ messages: messages.slice(0, count), tools: [] }, null, count)
      const tools = [{ name: 'rehydrate', description: 'd', schema: { type: 'object' } }]
      const breakpoints = [{ itemId: 'm1', ttlMs: 300_000 }]
      for (const count of [1, 2, 3]) {
        const request = { body: bodyOf(count), overlay: [hidden('a')].slice(0, count - 1), breakpoints, tools }
        await store.commit({
          scope,
          nowMs: count,
          writes: [{ table: 'receipts', receipt: { ...receipt(`r${count}`), request } }],
        })
      }
      for (const count of [1, 2, 3]) {
        const found = await store.read('receipts').get('acme', `r${count}`)
        same(found?.request, { body: bodyOf(count), overlay: [hidden('a')].slice(0, count - 1), breakpoints, tools })
      }
    }),

    makeCase('gives back what later rounds of a request have said, but not in lists', async ({ store }) => {
      const tools = [{ name: 'rehydrate', description: 'd', schema: { type: 'object' } }]
      const request = { body: '{}', overlay: [], breakpoints: [], tools }
      const rounds = ['a', 'b'].map((hash) => ({ hash, messages: [`{"of":"${hash}"}`, '"odd \uD800"'] }))
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'receipts', receipt: { ...receipt('r1'), request } }] })
      const result = { status: 200, rehydrations: 2, rounds, upstreamMs: 1, overheadMs: 1 }
      await store.commit({ scope, nowMs: 2, writes: [{ table: 'results', of: { requestId: 'r1', result } }] })
      same((await store.read('receipts').get('acme', 'r1'))?.result, result)
      const [listed] = await store.read('receipts').list('acme', { limit: 1 })
      same(listed?.result, { ...result, rounds: [{ hash: 'a' }, { hash: 'b' }] })
    }),

    makeCase('a receipt without content has none', async ({ store }) => {
      const { input: _input, ...bare } = receipt('r1')
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'receipts', receipt: bare }] })
      same('input' in ((await store.read('receipts').get('acme', 'r1')) ?? { input: undefined }), false)
    }),

    makeCase('adds how an exchange ended', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'receipts', receipt: receipt('r1') }] })
      const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 8 }
      const result = { status: 200, usage, rehydrations: 1, upstreamMs: 20, overheadMs: 1 }
      await store.commit({ scope, nowMs: 2, writes: [{ table: 'results', of: { requestId: 'r1', result } }] })
      same((await store.read('receipts').get('acme', 'r1'))?.result, result)
      same((await store.read('receipts').list('acme', { limit: 1 }))[0]?.result, result)
    }),
  ]
}

/** What many receipts are to each other. */
export function receiptListCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('lists receipts newest first, page by page, and by session', async ({ store }) => {
      for (let turn = 1; turn <= 5; turn += 1) {
        const session = turn % 2 === 0 ? 'even' : 'odd'
        await store.commit({
          scope: { tenant: 'acme', session },
          nowMs: turn,
          writes: [{ table: 'receipts', receipt: receipt(`r${turn}`) }],
        })
      }
      const first = await store.read('receipts').list('acme', { limit: 2 })
      same(
        first.map(({ requestId }) => requestId),
        ['r5', 'r4'],
      )
      const { session, outcome, originalTokens, packTokens, model } = first[0] ?? {}
      same([session, outcome, originalTokens, packTokens, model], ['odd', 'ok', 100, 40, 'gpt-5'])
      const rest = await store.read('receipts').list('acme', { limit: 9, before: first[1]?.sequence ?? 0 })
      same(
        rest.map(({ requestId }) => requestId),
        ['r3', 'r2', 'r1'],
      )
      const even = await store.read('receipts').list('acme', { limit: 9, session: 'even' })
      same(
        even.map(({ requestId }) => requestId),
        ['r4', 'r2'],
      )
    }),

    makeCase('lists the receipts of one lane, and the one of a request', async ({ store }) => {
      for (const [at, lane] of ['main', 'fork', 'main', 'main'].entries())
        await store.commit({
          scope: { ...scope, lane },
          nowMs: at,
          writes: [{ table: 'receipts', receipt: receipt(`r${at}`) }],
        })
      const ids = async (query: ReceiptQuery): Promise<readonly string[]> =>
        (await store.read('receipts').list('acme', query)).map(({ requestId }) => requestId)
      same(await ids({ session: 's1', lane: 'main', limit: 9 }), ['r3', 'r2', 'r0'])
      same(await ids({ session: 's1', lane: 'fork', limit: 9 }), ['r1'])
      same(await ids({ session: 's1', lane: 'none', limit: 9 }), [])
      same(await ids({ requestId: 'r2', limit: 9 }), ['r2'])
      same(await store.read('receipts').list('other', { requestId: 'r2', limit: 9 }), [])
      const [own] = await store.read('receipts').list('acme', { requestId: 'r2', limit: 1 })
      same(own?.lane, 'main')
      same(await ids({ session: 's1', lane: 'main', before: own?.sequence ?? 0, limit: 1 }), ['r0'])
      same(await ids({ session: 's1', lane: 'main', after: own?.sequence ?? 0, limit: 1 }), ['r3'])
    }),

    makeCase('lone surrogates in items survive in receipts', async ({ store }) => {
      const items = [item(0, `${'long '.repeat(40)}\uD800`), item(1, `${'long '.repeat(40)}\uDBFF`)]
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'receipts', receipt: receipt('r1', items) }] })
      same((await store.read('receipts').get('acme', 'r1'))?.input?.items, items)
    }),

    makeCase('receipts and sessions of one tenant do not exist for another', async ({ store }) => {
      await store.commit({
        scope,
        nowMs: 1,
        writes: [
          { table: 'receipts', receipt: receipt('r1') },
          { table: 'sessions', ledger: ledger(1) },
        ],
      })
      same(await store.read('receipts').get('umbrella', 'r1'), undefined)
      same(await store.read('receipts').get('umbrella', 'pack-of-r1'), undefined)
      same(await store.read('receipts').list('umbrella', { limit: 10 }), [])
      same(await store.read('sessions').get({ tenant: 'umbrella', session: 's1' }), undefined)
    }),

    makeCase(
      'prunes what a tenant has less of kept, sessions and receipts, and nothing of others',
      async ({ store }) => {
        const other = { ...scope, tenant: 'umbrella' }
        for (const own of [scope, other])
          for (const [turn, name] of ['old', 'new'].entries())
            await store.commit({
              scope: own,
              nowMs: 10 + 50 * turn,
              writes: [{ table: 'receipts', receipt: receipt(name) }],
            })
        const tenants = { acme: { sessionIdleMs: 1000, receiptAgeMs: 20 } }
        same(await store.prune(70, { ...defaultRetention, tenants }), { receipts: 1 })
        const namesOf = async (tenant: string) =>
          (await store.read('receipts').list(tenant, { limit: 10 })).map(({ requestId }) => requestId)
        same(await namesOf('acme'), ['new'])
        same(await namesOf('umbrella'), ['new', 'old'])
        const idle = { acme: { sessionIdleMs: 5, receiptAgeMs: 1000 } }
        same(await store.prune(70, { ...defaultRetention, tenants: idle }), { sessions: 1, receipts: 1 })
        same(await namesOf('umbrella'), ['new', 'old'])
      },
    ),

    makeCase('prunes receipts by age and by number, never the originals of a living session', async ({ store }) => {
      const kept = { handle: 'h', text: 'kept' }
      for (let turn = 1; turn <= 6; turn += 1) {
        await store.commit({
          scope,
          nowMs: turn * 10,
          writes: [
            { table: 'receipts', receipt: receipt(`r${turn}`) },
            { table: 'originals', originals: [kept] },
          ],
        })
      }
      const aged = await store.prune(70, { ...defaultRetention, receiptAgeMs: 55 })
      same(aged, { receipts: 1 })
      await store.prune(70, { ...defaultRetention, maxReceipts: 2 })
      const left = await store.read('receipts').list('acme', { limit: 10 })
      same(
        left.map(({ requestId }) => requestId),
        ['r6', 'r5'],
      )
      same(await store.read('originals').get(scope, 'h'), kept)
    }),

    makeCase('counts the receipts of each tenant, so that one removes none of another', async ({ store }) => {
      const put = (tenant: string, name: string, nowMs: number) =>
        store.commit({
          scope: { ...scope, tenant },
          nowMs,
          writes: [{ table: 'receipts', receipt: receipt(name) }],
        })
      for (let turn = 1; turn <= 3; turn += 1) await put('small', `s${turn}`, turn)
      for (let turn = 1; turn <= 8; turn += 1) await put('acme', `r${turn}`, 10 + turn)
      for (let turn = 1; turn <= 5; turn += 1) await put('umbrella', `u${turn}`, 30 + turn)
      same(await store.prune(70, { ...defaultRetention, maxReceipts: 3 }), { receipts: 7 })
      const namesOf = async (tenant: string) =>
        (await store.read('receipts').list(tenant, { limit: 10 })).map(({ requestId }) => requestId)
      same(await namesOf('small'), ['s3', 's2', 's1'])
      same(await namesOf('acme'), ['r8', 'r7', 'r6'])
      same(await namesOf('umbrella'), ['u5', 'u4', 'u3'])
    }),
  ]
}
