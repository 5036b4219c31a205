import { afterEach, describe, expect, it } from 'vitest'
import { problemsOf, publishedDocument } from './document.fixture.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Figures {
  readonly policy: string
  readonly tokens: number
  readonly cost: number
  readonly dollars: number | null
}

interface Report {
  readonly id: string
  readonly state: string
  readonly error: string | null
  readonly unrecorded: number
  readonly provider: string
  readonly progress: { readonly done: number; readonly of: number }
  readonly totals: readonly {
    readonly name: string
    readonly tokens: number
    readonly costRatio: number
    readonly dollars: number | null
  }[]
  readonly sessions: readonly {
    readonly session: string
    readonly lane: string
    readonly provider: string
    readonly requests: number
    readonly passThrough: Figures
    readonly policies: readonly Figures[]
  }[]
}

async function asked<Answer>(gateway: TestGateway, path: string, method = 'GET', body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  return (await (await fetch(gateway.url + path, init)).json()) as Answer
}

async function withSession(gateway: TestGateway, session = 'long'): Promise<void> {
  for (const results of [5, 6, 7, 8]) {
    await (await post(gateway, anthropicFixture, anthropicFixture.body(results), { 'x-session-id': session })).text()
    await gateway.clock.advance(results === 6 ? anHourMs : 1000)
  }
}

async function ended(gateway: TestGateway, id: string): Promise<Report> {
  const path = `/v1/replays/${id}`
  await expect.poll(async () => (await asked<Report>(gateway, path)).state, { timeout: 60_000 }).not.toBe('running')
  return asked<Report>(gateway, path)
}

describe('replays', () => {
  it(
    'send a recorded session again in full and by policies, and tell it request by request',
    { timeout: 90_000 },
    async () => {
      const gateway = await testGateway({ script: () => 'done' })
      await withSession(gateway)
      await (await post(gateway, openaiFixture, openaiFixture.body(2), { 'x-session-id': 'other' })).text()
      const document = await publishedDocument(gateway)
      const mine = { extends: 'careful', id: 'mine', version: '1.0.0', epochs: { keepFull: 1 } }
      const wish = { sessions: ['long', 'other'], policies: ['thrifty', mine], model: 'claude-sonnet-4-6' }
      const begun = await asked<Report>(gateway, '/v1/replays', 'POST', wish)
      expect(problemsOf(document, { path: '/v1/replays', method: 'post', status: 202 }, begun)).toEqual([])
      const report = await ended(gateway, begun.id)
      expect([report.state, report.error]).toEqual(['done', null])
      expect(problemsOf(document, { path: '/v1/replays/{id}', method: 'get' }, report)).toEqual([])
      expect(report.progress.done).toBe(report.progress.of)
      expect(report.totals.map(({ name }) => name)).toEqual(['pass-through', 'A thrifty', 'B mine'])
      expect(report.sessions.map(({ session, requests }) => [session, requests])).toEqual([
        ['long', 4],
        ['other', 1],
      ])
      const [long] = report.sessions
      expect(long!.policies[0]!.tokens).toBeLessThan(long!.passThrough.tokens)

      type Row = { requestId: string; passThrough: Figures; policies: Figures[] }
      const page = await asked<{ data: Row[]; next: string }>(
        gateway,
        `/v1/replays/${begun.id}/requests?session=long&limit=3`,
      )
      const rest = await asked<{ data: Row[]; next: null }>(
        gateway,
        `/v1/replays/${begun.id}/requests?session=long&limit=3&cursor=${page.next}`,
      )
      expect(problemsOf(document, { path: '/v1/replays/{id}/requests', method: 'get' }, page)).toEqual([])
      const rows = [...page.data, ...rest.data]
      const receipts = await gateway.store.read('receipts').list('default', { session: 'long', limit: 9 })
      expect(rows.map(({ requestId }) => requestId)).toEqual(receipts.map(({ requestId }) => requestId).toReversed())
      const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)
      expect(sum(({ passThrough }) => passThrough.cost)).toBeCloseTo(long!.passThrough.cost, 6)
      expect(sum(({ policies }) => policies[0]!.tokens)).toBe(long!.policies[0]!.tokens)
    },
  )

  it('bill each session by its own model, and add up dollars', { timeout: 60_000 }, async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withSession(gateway)
    const body = { ...openaiFixture.body(6), model: 'gpt-5.1' }
    await (await post(gateway, openaiFixture, body, { 'x-session-id': 'other' })).text()
    const wish = { sessions: ['long', 'other'], policies: ['balanced'] }
    const report = await ended(gateway, (await asked<Report>(gateway, '/v1/replays', 'POST', wish)).id)
    const models = [String(anthropicFixture.body(1)['model']), 'gpt-5.1']
    expect(report.sessions.map(({ provider }) => provider)).toEqual(models)
    expect(report.provider).toBe(models.join(', '))
    for (const [index, { dollars }] of report.totals.entries()) {
      const own = report.sessions.map(({ passThrough, policies }) => [passThrough, ...policies][index]?.dollars ?? NaN)
      expect(dollars).toBeCloseTo(own[0]! + own[1]!, 9)
    }
    const one = await asked<Report>(gateway, '/v1/replays', 'POST', { ...wish, model: 'gpt-5.1' })
    expect((await ended(gateway, one.id)).provider).toBe('gpt-5.1')
  })

  it('read a trace as prehend replay does, and say which line is wrong', { timeout: 60_000 }, async () => {
    const gateway = await testGateway()
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: 'I see.' },
    ]
    const trace = `${JSON.stringify({ id: 'mine', messages })}\n`
    const good = await asked<Report>(gateway, '/v1/replays', 'POST', { trace, policies: ['careful'] })
    expect((await ended(gateway, good.id)).sessions.map(({ session }) => session)).toEqual(['mine'])
    const bad = await asked<Report>(gateway, '/v1/replays', 'POST', {
      trace: `${trace}nonsense`,
      policies: ['careful'],
    })
    const report = await ended(gateway, bad.id)
    expect([report.state, report.error]).toEqual(['failed', expect.stringContaining('trace:2')])
  })

  it('run one at a time for a tenant, and end when they are told to', { timeout: 60_000 }, async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withSession(gateway)
    const wish = { sessions: ['long'], policies: ['careful'] }
    const first = await asked<Report>(gateway, '/v1/replays', 'POST', wish)
    const second = await asked<{ error: { message: string } }>(gateway, '/v1/replays', 'POST', wish)
    expect(second.error.message).toContain(`DELETE /v1/replays/${first.id}`)
    expect((await asked<Report>(gateway, `/v1/replays/${first.id}`, 'DELETE')).state).toBe('cancelled')
    expect((await asked<Report>(gateway, `/v1/replays/${first.id}`)).state).toBe('cancelled')
    const third = await asked<Report>(gateway, '/v1/replays', 'POST', wish)
    expect((await ended(gateway, third.id)).state).toBe('done')
    const { data } = await asked<{ data: Report[] }>(gateway, '/v1/replays')
    expect(data.map(({ id }) => id)).toEqual([third.id, first.id])
  })

  it('are of their tenant', { timeout: 60_000 }, async () => {
    const tokens = ['acme', 'umbrella'].map((tenant) => ({ token: `token-of-${tenant}`, tenant }))
    const gateway = await testGateway({ script: () => 'done', config: { tokens } })
    const of = (tenant: string) => ({
      'authorization': `Bearer token-of-${tenant}`,
      'content-type': 'application/json',
    })
    await (
      await post(gateway, { ...openaiFixture, headers: of('acme') }, openaiFixture.body(2), {
        'x-session-id': 'secret',
      })
    ).text()
    const body = JSON.stringify({ sessions: ['secret'], policies: ['careful'] })
    const start = async (tenant: string): Promise<Report> =>
      (await (await fetch(`${gateway.url}/v1/replays`, { method: 'POST', headers: of(tenant), body })).json()) as Report
    const own = await start('acme')
    const theirs = await start('umbrella')
    const seen = async (tenant: string, id: string): Promise<Response> =>
      fetch(`${gateway.url}/v1/replays/${id}`, { headers: of(tenant) })
    expect((await seen('umbrella', own.id)).status).toBe(404)
    await expect
      .poll(async () => ((await (await seen('umbrella', theirs.id)).json()) as Report).error, { timeout: 30_000 })
      .toContain('have no request whose content is recorded')
  })

  it.each([
    [{ policies: ['careful'] }, 'body.sessions'],
    [{ sessions: ['s'], policies: ['nobody'] }, 'body.policies[0]'],
    [{ sessions: ['s'], policies: [] }, 'body.policies'],
    [{ sessions: ['s'], policies: [{ extends: 'careful', id: 'x' }] }, 'body.policies[0].version'],
    [{ sessions: ['s'], policies: ['careful'], days: 1 }, 'body.days'],
  ])('%o is refused, naming %s', async (wish, field) => {
    const gateway = await testGateway()
    const { error } = await asked<{ error: { param: string } }>(gateway, '/v1/replays', 'POST', wish)
    expect(error.param).toBe(field)
  })
})
