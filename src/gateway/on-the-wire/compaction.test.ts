import { afterEach, describe, expect, it } from 'vitest'
import { chats, chatTurns } from './chats.fixture.ts'
import { agentBody, route, said, task } from './compacting.fixture.ts'
import { differences, receiptsOf } from './proven.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const script = (): string => 'Understood.'
/** A policy that shortens nothing by itself, so that only compactions do. */
const policy = { id: 'plain', version: '1.0.0', extends: 'careful', epochs: { keepFull: 1000 } }

const lastBody = ({ provider }: TestGateway): string => provider.requests.at(-1)?.body ?? ''

describe('POST /v1/sessions/{id}/compact', () => {
  it('has the next request of the session compacted, with the figures that it answers (G-045, G-050, B-04)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const before = await said(gateway, 'long', agentBody(30))
    expect(before.headers.get('x-prehend-compaction-count')).toBeNull()
    const { status, answer } = await route(gateway, '/v1/sessions/long/compact', { body: { preserveRecent: 4 } })
    const [tokensBefore, tokensAfter] = [Number(answer['tokensBefore']), Number(answer['tokensAfter'])]
    expect(status).toBe(200)
    expect(answer).toMatchObject({ sessionId: 'long', status: 'pending', compactionCount: 1 })
    expect(answer['tokensSaved']).toBe(tokensBefore - tokensAfter)
    const after = await said(gateway, 'long', agentBody(30))
    expect(after.headers.get('x-prehend-compaction-count')).toBe('1')
    expect(after.headers.get('x-bardo-compaction-count')).toBe('1')
    expect(after.headers.get('x-prehend-advice')).toBeNull()
    const receipts = await receiptsOf(gateway)
    expect(receipts.at(-1)?.manifest.compaction).toMatchObject({
      cause: 'ordered',
      count: 1,
      tokensBefore,
      tokensAfter,
    })
    expect(receipts.map(differences)).toEqual([[], []])
    const sent = lastBody(gateway)
    expect(sent).toContain(task)
    expect(sent).toContain('toolu_29')
    expect(sent).not.toContain('toolu_12')
    const next = await said(gateway, 'long', agentBody(31))
    expect(next.headers.get('x-prehend-compaction-count')).toBe('1')
    expect(lastBody(gateway)).not.toContain('toolu_12')
  })

  it('carries out the same request with the same key once, and needs no body', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'long', agentBody(20))
    const ask = () => route(gateway, '/v1/sessions/long/compact', { headers: { 'idempotency-key': 'k1' } })
    const [one, two] = await Promise.all([ask(), ask()])
    expect(two).toEqual(one)
    await said(gateway, 'long', agentBody(20))
    expect(await ask()).toEqual(one)
    const after = await said(gateway, 'long', agentBody(30))
    expect(after.headers.get('x-prehend-compaction-count')).toBe('1')
  })

  it('says what cannot be: a session that nobody knows, a member that nobody knows, and nothing to compact (G-050)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'short', agentBody(1))
    expect((await route(gateway, '/v1/sessions/nobody/compact')).status).toBe(404)
    const wrong = await route(gateway, '/v1/sessions/short/compact', { body: { preserve: 2 } })
    expect([wrong.status, JSON.stringify(wrong.answer)]).toEqual([400, expect.stringContaining('preserveRecent')])
    const { answer } = await route(gateway, '/v1/sessions/short/compact')
    expect(answer).toMatchObject({ status: 'nothing', tokensSaved: 0, compactionCount: 0 })
    const next = await said(gateway, 'short', agentBody(20))
    expect(next.headers.get('x-prehend-compaction-count')).toBeNull()
  })

  it('waits for a request that is under way, and gives up after 5 seconds (409)', async () => {
    const slow = () => ({ text: 'Understood.', firstByteMs: 10_000 })
    const gateway = await testGateway({ config: { policy }, script: slow })
    const running = said(gateway, 'busy', agentBody(20))
    while (gateway.provider.requests.length === 0) await new Promise((done) => setTimeout(done, 10))
    await gateway.clock.advance(5001)
    expect((await route(gateway, '/v1/sessions/busy/compact')).status).toBe(409)
    const waiting = route(gateway, '/v1/sessions/quiet/compact')
    await gateway.clock.advance(5000)
    await running
    expect((await waiting).status).toBe(404)
    expect((await route(gateway, '/v1/sessions/busy/compact')).status).toBe(200)
  })

  it('advises a handoff from the second compaction on, by header and event (G-046)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const events = await fetch(`${gateway.url}/v1/events?type=session:handoff-advised&last=`)
    for (const [count, results] of [20, 30, 40].entries()) {
      await said(gateway, 'long', agentBody(results))
      await route(gateway, '/v1/sessions/long/compact', { body: { preserveRecent: 4 } })
      const { headers } = await said(gateway, 'long', agentBody(results))
      expect(headers.get('x-prehend-compaction-count')).toBe(String(count + 1))
      expect(headers.get('x-prehend-advice')).toBe(count === 0 ? null : 'handoff')
    }
    const reader = events.body!.getReader()
    let text = ''
    while (!text.includes('"compactions":3')) text += new TextDecoder().decode((await reader.read()).value)
    expect(text.match(/^event: session:handoff-advised/gm)).toHaveLength(2)
    await reader.cancel()
  })

  it('brings an image of a step that is left out back, by a handle that the steps name', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const { messages, ...rest } = agentBody(20) as { messages: { content: unknown }[] }
    const shown = { type: 'tool_result', tool_use_id: 'toolu_3', content: [{ type: 'text', text: 'A shot.' }, image] }
    const body = { ...rest, messages: messages.map((one, at) => (at === 8 ? { ...one, content: [shown] } : one)) }
    await said(gateway, 'long', body)
    await route(gateway, '/v1/sessions/long/compact')
    await said(gateway, 'long', body)
    expect(lastBody(gateway)).not.toContain(data)
    const [run = ''] = (await receiptsOf(gateway)).at(-1)?.manifest.compaction?.handles ?? []
    const bring = async (asked: object) => (await route(gateway, '/v1/sessions/long/rehydrate', { body: asked })).answer
    const { text } = await bring({ handle: run, lines: 'shows it' })
    const handle = /\[image: rehydrate\("(\d{12})"\) shows it\]/.exec(String(text))?.[1]
    expect(await bring({ handle })).toMatchObject({
      found: true,
      media: { type: 'image', url: `data:image/png;base64,${data}` },
    })
  })

  it('counts nothing in a conversation that parts before what was compacted (G-046)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    await said(gateway, 'long', agentBody(30))
    await route(gateway, '/v1/sessions/long/compact')
    const countOf = async (body: object) =>
      (await said(gateway, 'long', body)).headers.get('x-prehend-compaction-count')
    expect(await countOf(agentBody(30))).toBe('1')
    const other = agentBody(8) as { messages: object[] }
    const turned = { ...other, messages: [...other.messages.slice(0, -2), { role: 'user', content: 'Stop.' }] }
    expect(await countOf(turned)).toBeNull()
    expect(await countOf(agentBody(31))).toBe('1')
  })

  it('stays compacted when the gateway starts again, and orders that were given before are carried out', async () => {
    const first = await testGateway({ config: { policy }, script })
    await said(first, 'long', agentBody(20))
    await route(first, '/v1/sessions/long/compact')
    await first.close()
    const second = await testGateway({ config: { policy }, script, store: first.store, clock: first.clock })
    const { headers } = await said(second, 'long', agentBody(21))
    expect(headers.get('x-prehend-compaction-count')).toBe('1')
    expect(lastBody(second)).not.toContain('toolu_5')
  })
})

describe.each(chats)('a chat over $name', ({ ask, wordsOf }) => {
  it('is compacted to what binds and its newest messages (G-046)', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const turns = chatTurns(24)
    await ask(gateway, turns)
    const [named] = await gateway.store.read('results').sessions('default', { limit: 1 })
    const { answer } = await route(gateway, `/v1/sessions/${named?.session}/compact`)
    expect(answer).toMatchObject({ status: 'pending', compactionCount: 1 })
    await ask(gateway, turns)
    const sent = wordsOf(lastBody(gateway))
    expect(sent).toContain('Never deploy on Fridays.')
    expect(sent).not.toContain('answer 5 ')
    expect(sent).toContain('question 24 ')
    const last = (await receiptsOf(gateway)).at(-1)
    expect(last?.manifest.compaction).toMatchObject({ tokensAfter: answer['tokensAfter'] })
  })
})

describe('a trigger', () => {
  const trigger = { type: 'token_count', value: 3000 } as const

  it('may be said by tenant, session and request, the nearer before the other, and member by member (G-043)', async () => {
    const counts = async (gateway: TestGateway, session: string, compaction?: object): Promise<string | null> => {
      const more = compaction === undefined ? {} : { prehend: { compaction } }
      return (await said(gateway, session, agentBody(20, more))).headers.get('x-prehend-compaction-count')
    }
    const gateway = await testGateway({ config: { policy, tenants: { default: { compaction: { trigger } } } }, script })
    expect(await counts(gateway, 'by-tenant')).toBe('1')
    const put = await route(gateway, '/v1/sessions/by-session/compaction', {
      method: 'PUT',
      body: { trigger: { type: 'manual' }, preserveRecent: 2 },
    })
    expect([put.status, put.answer]).toEqual([
      200,
      { sessionId: 'by-session', compaction: { trigger: { type: 'manual' }, preserveRecent: 2 } },
    ])
    expect(await counts(gateway, 'by-session')).toBeNull()
    expect(await counts(gateway, 'by-session', { trigger })).toBe('1')
    expect(lastBody(gateway)).not.toContain('toolu_18')
    await said(gateway, 'later', agentBody(2))
    await route(gateway, '/v1/sessions/later/compaction', { method: 'PUT', body: { trigger: { type: 'manual' } } })
    expect(await counts(gateway, 'later')).toBeNull()
  })

  it('is refused where it makes no sense, by its path', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const put = (body: object) => route(gateway, '/v1/sessions/s/compaction', { method: 'PUT', body })
    for (const wrong of [{ type: 'token_count' }, { type: 'utilization', value: 80 }, { type: 'never' }]) {
      const { status, answer } = await put({ trigger: wrong })
      expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining('trigger')])
    }
  })

  it('can be read: the session over its tenant, member by member; other methods are refused with those that are', async () => {
    const compaction = { trigger, preserveRecent: 9 }
    const gateway = await testGateway({ config: { policy, tenants: { default: { compaction } } }, script })
    const path = '/v1/sessions/s/compaction'
    const ask = async (method: string, body?: object) => route(gateway, path, { method, body })
    expect(await ask('GET')).toEqual({ status: 200, answer: { sessionId: 's', compaction, own: {} } })
    const own = { trigger: { type: 'manual' } }
    await ask('PUT', own)
    const { answer } = await ask('GET')
    expect(answer).toEqual({ sessionId: 's', compaction: { ...own, preserveRecent: 9 }, own })
    for (const [method, at, allow] of [
      ['DELETE', path, 'GET, HEAD, PUT'],
      ['GET', '/v1/sessions/s/compact', 'POST'],
      ['POST', '/v1/sessions/s', 'GET, HEAD'],
    ] as const) {
      const response = await fetch(gateway.url + at, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
      expect(await response.text()).toContain(allow.split(', ')[0])
    }
    expect((await fetch(gateway.url + path, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${gateway.url}/v1/sessions/s/nothing`)).headers.get('allow')).toBeNull()
  })

  it('of a handoff compacts nothing and advises one', async () => {
    const gateway = await testGateway({ config: { policy, compaction: { strategy: 'handoff', trigger } }, script })
    const { headers } = await said(gateway, 'long', agentBody(20))
    expect(headers.get('x-prehend-compaction-count')).toBeNull()
    expect(headers.get('x-prehend-advice')).toBe('handoff')
  })

  it('neither counts nor advises what mode observe would have compacted', async () => {
    const compaction = { trigger: { type: 'token_count', value: 12_000 } } as const
    const gateway = await testGateway({ config: { mode: 'observe', policy, compaction }, script })
    for (const results of [20, 60, 140]) {
      const { headers } = await said(gateway, 'long', agentBody(results))
      expect(headers.get('x-prehend-compaction-count')).toBeNull()
      expect(headers.get('x-prehend-advice')).toBeNull()
    }
    const counts = (await receiptsOf(gateway)).map(({ manifest }) => manifest.compaction?.count)
    expect(Math.max(...counts.map((count) => count ?? 0))).toBeGreaterThan(1)
  })

  it('of a handoff is held against what was sent, which in mode observe is everything', async () => {
    const compaction = { strategy: 'handoff', trigger: { type: 'token_count', value: 20_000 } } as const
    const adviceIn = async (mode: 'on' | 'observe') => {
      const gateway = await testGateway({ config: { mode, policy: 'masked', compaction }, script })
      return (await said(gateway, 'long', agentBody(30))).headers.get('x-prehend-advice')
    }
    expect([await adviceIn('on'), await adviceIn('observe')]).toEqual([null, 'handoff'])
  })

  it('counts what a provider has compacted by itself', async () => {
    const gateway = await testGateway({ config: { policy }, script })
    const block = { type: 'compaction', content: 'Earlier: modules 1 to 5 were read.' }
    const messages = [
      { role: 'user', content: task },
      { role: 'assistant', content: [block, { type: 'text', text: 'Going on.' }] },
      { role: 'user', content: 'Do.' },
    ]
    const { headers } = await said(gateway, 'theirs', agentBody(0, { messages }))
    expect(headers.get('x-prehend-compaction-count')).toBe('1')
  })
})
