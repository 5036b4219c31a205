import { hidden, item, ledger, receipt, summary } from './filled-values.fixture.ts'
import type { Store } from '../store.ts'
import { noAccount } from '../tables/results/tenant-account.ts'

/** A text that stands nowhere else, in everything that is written of a tenant. */
export const needleOf = (tenant: string): string => `needle-of-${tenant}`

/** Texts that engines hold in other ways than others, and one that is long. */
const oddTexts = ['a NUL \0 inside', 'a lone \uD800 surrogate', 'a mark \u0001 and \u2028', 'x'.repeat(2000)]

/** Writes something of a tenant to every table, in two lanes and two sessions, a few times. */
export async function fillStore(store: Store, tenant: string): Promise<void> {
  const needle = needleOf(tenant)
  for (const [at, [session, lane]] of [
    ['s1', ''],
    ['s1', 'fork'],
    ['s2', ''],
    ['s1', ''],
  ].entries()) {
    const scope = { tenant, session: `${session}-${needle}`, ...(lane !== '' && { lane }) }
    const items = [
      item(0, `${needle} ${'long '.repeat(200)}${at}`),
      ...oddTexts.map((text, one) => item(one + 1, text)),
    ]
    const requestId = `r${at}-${needle}`
    const request = {
      path: '/v1/chat',
      body: `{"messages":[{"role":"user","content":"${needle} ${'body '.repeat(300)}"}],"at":${at}}`,
      overlay: [hidden(needle)],
      breakpoints: [],
      tools: [],
    }
    const cost = {
      inputTokens: 10 + at,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      passThroughTokens: 30,
      usd: 0.1 + at,
      passThroughUsd: 0.3,
    }
    const policy = { id: `policy-${needle}`, version: '1.0.0', shares: [] } as never
    const one = receipt(requestId, items, ledger(at + 1))
    await store.commit({
      scope,
      nowMs: 1000 * at + 5,
      writes: [
        { table: 'receipts', receipt: { ...one, ...(one.input && { input: { ...one.input, policy } }), request } },
        { table: 'sessions', ledger: ledger(at + 2), offeredTools: [needle], overlay: [hidden(needle), hidden('two')] },
        {
          table: 'originals',
          originals: [needle, ...oddTexts].map((text, number) => ({
            handle: `h${number}-${needle}`,
            text,
            kind: 'text',
          })),
        },
        {
          table: 'turns',
          requestId,
          items: [needle, ...oddTexts].map((text) => ({ itemId: 'i', kind: 'text', section: 'history', text })),
        },
      ],
    })
    await store.commit({
      scope,
      nowMs: 1000 * at + 7,
      writes: [
        {
          table: 'results',
          of: {
            requestId,
            result: {
              status: at === 2 ? 500 : 200,
              upstreamMs: 5,
              answeredBy: `model-${needle}`,
              cost,
              asker: { key: needle, team: needle },
            } as never,
          },
          account: { ...noAccount(`model-${needle}`), requests: at, saved: 2.5 },
        },
        { table: 'outcomes', requestId, source: 'test', quality: 0.5, note: needle },
        { table: 'summaries', key: `${needle} ${at}`, value: summary(needle) },
        { table: 'kept-replies', key: needle, value: { session: needle, lane: '' } },
        { table: 'reasoning-owners', key: needle, value: needle },
        { table: 'made-media', key: needle, value: `data:image/png;base64,${needle}` },
        { table: 'extension-values', key: needle, value: { needle } },
        {
          table: 'spending',
          id: `${needle} ${at}`,
          spent: [{ scope: `key:${needle}`, day: '2026-11-27', unit: 'tokens', amount: 10 + at }],
          ...(at === 2 && { lapsed: true }),
        },
        {
          table: 'tool-uses',
          uses: [
            { name: needle, offered: at, called: 1, failed: 2, sessions: 1, calledIn: 1, queries: [needle, 'two'] },
            { name: `${needle} ${at}`, offered: 1, called: 0, failed: 0, sessions: 1, calledIn: 0 },
          ],
        },
        { table: 'audit', actor: needle, action: 'key.create', target: needle, from: 'local' },
      ],
    })
  }
  await store.commit({
    scope: { tenant: '', session: '' },
    nowMs: 9,
    writes: [
      { table: 'object-owners', key: `openai object-${needle}`, value: tenant },
      { table: 'values', key: 'handle-secret', value: 'the secret', ifAbsent: true },
    ],
  })
  const sha256 = `hash of ${needle}`
  const artifact = { path: `tasks/${needle}/step-1/a.md`, sha256, sizeBytes: 7, mediaType: 'text/markdown' }
  const inTenant = { tenant, session: '' }
  await store.commit({ scope: inTenant, nowMs: 50, writes: [{ table: 'artifacts', blob: sha256 }] })
  await store.commit({
    scope: inTenant,
    nowMs: 51,
    writes: [{ table: 'artifacts', artifact: { ...artifact, version: 1, class: 'raw', session: needle } }],
  })
  await store.commit({
    scope: inTenant,
    nowMs: 52,
    writes: [{ table: 'artifacts', artifact: { ...artifact, version: 2, class: 'manifest', requestId: needle } }],
  })
  await store.commit({ scope: inTenant, nowMs: 53, writes: [{ table: 'artifacts', blob: `other ${needle}` }] })
  await store.commit({
    scope: inTenant,
    nowMs: 54,
    writes: [
      { table: 'tools', put: `own::${needle}`, kind: 'own', value: { description: needle } },
      { table: 'tools', put: `files::${needle}`, kind: 'pin', value: { digest: needle } },
      { table: 'tools', offered: [`own::${needle}`, `files::${needle}`] },
      {
        table: 'tools',
        call: { id: needle, tool: `own::${needle}`, outcome: 'failed', tookMs: 3, tokens: 9, session: needle },
      },
    ],
  })
  const key = {
    id: `key-${needle}`,
    tenant,
    name: needle,
    hash: `hash of ${needle}`,
    prefix: 'phd_a',
    scopes: [],
    createdMs: 5,
  }
  await store.commit({
    scope: { tenant, session: '' },
    nowMs: 5,
    writes: [{ table: 'keys', key: { ...key, revision: 1 } }],
  })
  await store.commit({
    scope: { tenant, session: '' },
    nowMs: 6,
    writes: [{ table: 'keys', key: { ...key, revision: 2 } }],
  })
  await store.commit({ scope: { tenant, session: '' }, nowMs: 70, writes: [{ table: 'keys', used: key.id }] })
  const sealed = { version: needle, dataKey: needle, sealed: needle, prefix: 'sk-', lastFour: 'abcd', setMs: 5 }
  for (const revision of [1, 2])
    await store.commit({
      scope: inTenant,
      nowMs: 80,
      writes: [
        { table: 'provider-keys', key: `openai-${needle}`, revision, value: sealed },
        { table: 'tenant-settings', key: 'settings', revision, value: { policy: needle } },
      ],
    })
}

/** All that the reads of a store say of some tenants. */
export async function tellAll(store: Store, tenants: readonly string[]): Promise<readonly unknown[]> {
  const told: unknown[] = [await store.read('values').get('handle-secret')]
  for (const tenant of tenants) {
    const needle = needleOf(tenant)
    const results = store.read('results')
    const listed = await store.read('receipts').list(tenant, { limit: 100 })
    told.push(
      listed.map(({ sequence: _sequence, ...one }) => one),
      await Promise.all(listed.map(({ requestId }) => store.read('receipts').get(tenant, requestId))),
      await results.statistics(tenant, { by: ['hour', 'model', 'policy'] }),
      await results.sessions(tenant, { limit: 10 }),
      await results.tenantAccount(tenant),
      await store.read('audit').list({ tenant, order: 'chain', limit: 100 }),
      await store.read('keys').list({ tenant, limit: 10 }),
      await store.read('provider-keys').list(tenant),
      await store.read('tenant-settings').list(tenant),
      await store.read('spending').standing(tenant, { since: '2026-01-01', ids: [`${needle} 1`, `${needle} 2`] }),
      await store.read('keys').byHash(`hash of ${needle}`),
      await store.read('artifacts').list({ tenant, versions: true, limit: 10 }),
      await store.read('tools').get(tenant, `own::${needle}`),
      await store.read('tools').list(tenant, 'pin'),
      await store.read('tools').usage(tenant),
      await store.read('tools').calls({ tenant, limit: 10 }),
      (await store.read('artifacts').unnamed(1e9, 10)).filter((one) => one.tenant === tenant),
      await store.read('object-owners').get('', `openai object-${needle}`),
      await store.read('names').find(tenant, 'r', 10),
      await store.read('tool-uses').all(tenant),
      await store.read('summaries').get(tenant, `${needle} 1`),
      await Promise.all(
        (['kept-replies', 'reasoning-owners', 'made-media', 'extension-values'] as const).map((table) =>
          store.read(table).get(tenant, needle),
        ),
      ),
    )
    for (const session of [`s1-${needle}`, `s2-${needle}`]) {
      const originals = await store.read('originals').all({ tenant, session })
      told.push(
        originals.toSorted((a, b) => (a.handle < b.handle ? -1 : 1)),
        await store.read('originals').get({ tenant, session }, `h2-${needle}`),
        await store.read('turns').list(tenant, session, { limit: 100 }),
        await store.read('outcomes').list(tenant, session),
        (await store.read('sessions').lanes(tenant, session)).toSorted(),
        await store.read('sessions').get({ tenant, session }),
        await store.read('sessions').get({ tenant, session, lane: 'fork' }),
      )
    }
  }
  return told
}
