import { afterEach, describe, expect, it } from 'vitest'
import type { Briefing } from '../../core/index.ts'
import { agentBody, route, said, task } from './compacting.fixture.ts'
import { differences, receiptsOf } from './proven.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const script = (): string => 'Understood.'
const policy = { id: 'plain', version: '1.0.0', extends: 'thrifty' }
const rule = 'Never touch the lock file.'
const lastBody = ({ provider }: TestGateway): string => provider.requests.at(-1)?.body ?? ''

/** What the store has of a session, all lanes of its conversations. */
async function statesOf({ store }: TestGateway, session: string): Promise<unknown> {
  const lanes = (await store.read('sessions').lanes('default', session))
    .filter((lane) => lane !== 'session-record')
    .toSorted()
  return Promise.all(lanes.map((lane) => store.read('sessions').get({ tenant: 'default', session, lane })))
}

describe('POST /v1/sessions/{id}/handoff', () => {
  it('begins a session with a briefing, and leaves the one before as it was (G-047, G-050)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'old', agentBody(12))
    const before = await statesOf(gateway, 'old')
    const { status, answer } = await route(gateway, '/v1/sessions/old/handoff')
    expect(status).toBe(201)
    expect(answer).toMatchObject({ parentId: 'old', briefing: { objective: task, constraints: [rule] } })
    expect(Number(answer['tokensAfter'])).toBeLessThan(Number(answer['tokensBefore']) / 4)
    expect(await statesOf(gateway, 'old')).toEqual(before)
    const child = String(answer['sessionId'])
    const going = { messages: [{ role: 'user', content: 'Go on.' }] }
    await said(gateway, child, agentBody(0, going))
    const { messages } = JSON.parse(lastBody(gateway)) as { messages: { role: string; content: unknown }[] }
    expect(JSON.stringify(messages[0])).toContain('<briefing from=\\"old\\">')
    expect(JSON.stringify(messages)).toContain(rule)
    expect(JSON.stringify(messages.at(-1))).toContain('Go on.')
    await said(
      gateway,
      child,
      agentBody(0, {
        messages: [
          ...going.messages,
          { role: 'assistant', content: 'Understood.' },
          { role: 'user', content: 'And now?' },
        ],
      }),
    )
    expect(lastBody(gateway).split('<briefing')).toHaveLength(2)
    expect((await receiptsOf(gateway)).map(differences)).toEqual([[], [], []])
    // The one before goes on as if nothing had happened.
    const { headers } = await said(gateway, 'old', agentBody(13))
    expect(headers.get('x-prehend-cache')).toMatch(/^provider; hold/)
  })

  it('has handles of the session before work in the new one, and receipts name the one before (G-047)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    for (const results of [6, 12]) await said(gateway, 'old', agentBody(results))
    await gateway.clock.advance(3_600_000)
    await said(gateway, 'old', agentBody(20))
    const [original] = await gateway.store.read('originals').all({ tenant: 'default', session: 'old' })
    expect(original).toBeDefined()
    const { answer } = await route(gateway, '/v1/sessions/old/handoff')
    const child = String(answer['sessionId'])
    await said(gateway, child, agentBody(0))
    const found = await route(gateway, `/v1/sessions/${child}/originals/${original?.handle}`, { method: 'GET' })
    expect(found.answer).toMatchObject({ text: original?.text })
    expect((await receiptsOf(gateway)).at(-1)).toMatchObject({ session: child, parentSession: 'old' })
  })

  it('begins one session for the same key, also when asked for it at once (G-050)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'old', agentBody(12))
    const ask = () => route(gateway, '/v1/sessions/old/handoff', { headers: { 'idempotency-key': 'k' } })
    const [one, two] = await Promise.all([ask(), ask()])
    expect([two, await ask()]).toEqual([one, one])
    expect(await gateway.store.read('results').sessions('default', { limit: 9 })).toHaveLength(2)
  })

  it('is a strategy of compact, too, and 404 of a session that nobody knows', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'old', agentBody(12))
    const { answer } = await route(gateway, '/v1/sessions/old/compact', { body: { strategy: 'handoff' } })
    expect(answer).toMatchObject({ status: 'handed-over', parentId: 'old', briefing: { constraints: [rule] } })
    expect((await route(gateway, '/v1/sessions/nobody/handoff')).status).toBe(404)
  })

  it('says so where the rules alone take more than a briefing may (422)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const rules = Array.from({ length: 40 }, (_, at) => `You must never write to the folder number ${at}.`).join(' ')
    await said(gateway, 'strict', agentBody(0, { messages: [{ role: 'user', content: rules }] }))
    const { status, answer } = await route(gateway, '/v1/sessions/strict/handoff', { body: { summaryBudget: 60 } })
    expect([status, JSON.stringify(answer)]).toEqual([422, expect.stringContaining('may take 60')])
    expect(await gateway.store.read('results').sessions('default', { limit: 9 })).toHaveLength(1)
  })
})

const good: Briefing = {
  objective: 'Find the value of the seventh module.',
  context: ['f3 was read.'],
  state: [],
  constraints: [rule],
  nextSteps: ['Read f7.'],
}
const { nextSteps: _, ...lacking } = good

describe('a briefing by a model', () => {
  const config = { policy, summaries: { handoffModel: 'gpt-5.1' } }
  /** Answers the agent, and briefings in their turn. */
  const writing = (briefings: readonly unknown[]) => {
    const left = [...briefings]
    return ({ body }: { readonly body: string }) => {
      if (!body.includes('You hand over the work')) return 'Understood.'
      const next = left.shift()
      return typeof next === 'string' ? next : JSON.stringify(next)
    }
  }
  const asked = ({ provider }: TestGateway) =>
    provider.requests.filter(({ body }) => body.includes('You hand over the work'))

  it('is written from the whole thread, with the instructions of the user (G-043, G-047)', async () => {
    const gateway = await testGateway({ config, script: writing([good]) })
    await said(gateway, 'old', agentBody(12))
    const headers = { authorization: 'Bearer key' }
    const body = { customInstructions: 'In French, please.' }
    const { status, answer } = await route(gateway, '/v1/sessions/old/handoff', { body, headers })
    expect([status, answer['briefing']]).toEqual([201, good])
    const [request] = asked(gateway)
    for (const part of ['In French, please.', task, rule, 'needle of result 3 ']) expect(request?.body).toContain(part)
  })

  it('is repaired once, with what is wrong with it, and fails loudly after that (G-048)', async () => {
    const gateway = await testGateway({ config, script: writing([lacking, good, lacking, lacking]) })
    await said(gateway, 'old', agentBody(12))
    const headers = { authorization: 'Bearer key' }
    const first = await route(gateway, '/v1/sessions/old/handoff', { headers })
    expect([first.status, first.answer['briefing']]).toEqual([201, good])
    expect(asked(gateway)[1]?.body).toContain('nextSteps is missing, or is not a list of texts.')
    const second = await route(gateway, '/v1/sessions/old/handoff', { headers })
    expect([second.status, JSON.stringify(second.answer)]).toEqual([422, expect.stringContaining('nextSteps')])
    expect(asked(gateway)).toHaveLength(4)
    expect(await gateway.store.read('results').sessions('default', { limit: 9 })).toHaveLength(2)
  })

  it('that cannot be had is an error, and no session begins (502)', async () => {
    const fault = { kind: 'error', status: 500 } as const
    const failing = ({ body }: { readonly body: string }) =>
      body.includes('You hand over the work') ? { fault } : 'Understood.'
    const gateway = await testGateway({ config, script: failing })
    await said(gateway, 'old', agentBody(12))
    const { status } = await route(gateway, '/v1/sessions/old/handoff', { headers: { authorization: 'Bearer key' } })
    expect(status).toBe(502)
    expect(await gateway.store.read('results').sessions('default', { limit: 9 })).toHaveLength(1)
  })
})

describe('x-prehend-parent-session', () => {
  it('makes a session the child of another one: receipts name it, and its cost is in the tree of the parent', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'lead', agentBody(3))
    for (const name of ['helper-1', 'helper-2'])
      await said(gateway, name, agentBody(2), { 'x-prehend-parent-session': 'lead' })
    await said(gateway, 'below', agentBody(2), { 'x-prehend-parent-session': 'helper-1' })
    const receipts = await receiptsOf(gateway)
    expect(receipts.map(({ parentSession }) => parentSession)).toEqual([undefined, 'lead', 'lead', 'helper-1'])
    const { answer } = await route(gateway, '/v1/sessions/lead?tree=true', { method: 'GET' })
    expect(answer).toMatchObject({
      parentId: null,
      children: ['helper-1', 'helper-2'],
      tree: { sessions: 4, whole: true },
    })
    const { cost, tree } = answer as { cost: { usd: number }; tree: { cost: { usd: number; requests: number } } }
    const parts = await Promise.all(
      ['helper-1', 'helper-2', 'below'].map((name) => route(gateway, `/v1/sessions/${name}`, { method: 'GET' })),
    )
    const below = parts.map((part) => (part.answer['cost'] as { usd: number }).usd)
    expect(tree.cost.usd).toBeCloseTo(
      below.reduce((sum, usd) => sum + usd, cost.usd),
      9,
    )
    expect(tree.cost.requests).toBe(4)
    expect(parts[0]?.answer).toMatchObject({ parentId: 'lead', children: ['below'] })
  })
})
