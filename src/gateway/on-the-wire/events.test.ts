import { afterEach, describe, expect, it } from 'vitest'
import { sessionEventTypes } from '../../core/index.ts'
import type { FeedbackLoop } from '../../core/index.ts'
import { eventStream } from '../app/event-stream.ts'
import type { EventReader } from '../app/event-stream.ts'
import { eventRing } from '../telemetry/event-ring.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const assembled = (tokens: number) => ({ type: 'context:assembled', turn: 1, sections: 1, tokens }) as const

async function pieces(stream: ReadableStream<Uint8Array>, until: (text: string) => boolean): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  while (!until(text)) {
    const { value, done } = await reader.read()
    if (done) break
    text += new TextDecoder().decode(value)
  }
  await reader.cancel()
  return text
}

describe('the stream of events', () => {
  const reader: EventReader = { tenant: 'a', types: [], heartbeatMs: 20 }

  it('goes on after the last id, and says how many events a reader has missed', async () => {
    const ring = eventRing({ clock: () => 5, run: 'run', most: 3 })
    for (let tokens = 1; tokens <= 10; tokens += 1) ring.tell({ tenant: 'a', event: assembled(tokens) })
    const isEnd = (text: string) => text.includes('"tokens":10')
    const missed = await pieces(eventStream(ring, { ...reader, lastId: `run-2` }), isEnd)
    expect(missed).toContain('data: {"type":"missed","events":5}')
    expect(Array.from(missed.matchAll(/^id: \w+-(\d+)$/gm), ([, id]) => id)).toEqual(['8', '9', '10'])
    const since = await pieces(eventStream(ring, { ...reader, lastId: `run-9` }), isEnd)
    expect(Array.from(since.matchAll(/^id: /gm))).toHaveLength(1)
    expect(since).not.toContain('missed')
  })

  it('has a heartbeat while nothing happens, and ends when the gateway does', async () => {
    const ring = eventRing({ clock: () => 5 })
    expect(await pieces(eventStream(ring, reader), (text) => text.includes(': heartbeat'))).not.toContain('data')
    setTimeout(() => ring.close(), 5)
    await pieces(eventStream(ring, { ...reader, heartbeatMs: 60_000 }), () => false)
  })
})

const tokens = [
  { token: 'token-of-acme', tenant: 'acme' },
  { token: 'token-of-umbrella', tenant: 'umbrella' },
]

describe('GET /v1/events', () => {
  const listen = (url: string, tenant: string, query = '') =>
    fetch(`${url}/v1/events${query}`, { headers: { authorization: `Bearer token-of-${tenant}` } })

  it('a type that no event has is refused, with the one that was meant, rather than waited for', async () => {
    const gateway = await testGateway()
    const refused = await fetch(`${gateway.url}/v1/events?type=security,context:epock`)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('type: context:epock is no type of event. Did you mean context:epoch?')
    const taken = await fetch(`${gateway.url}/v1/events?type=${sessionEventTypes.join(',')},missed`)
    expect(taken.status).toBe(200)
    await taken.body!.cancel()
  })

  it('tells a tenant what happens to its own sessions, once each, and nothing that was said', async () => {
    const gateway = await testGateway({ config: { tokens } })
    const [own, others, one] = await Promise.all([
      listen(gateway.url, 'acme'),
      listen(gateway.url, 'umbrella', '?last=0'),
      listen(gateway.url, 'acme', '?session=second&type=context:assembled'),
    ])
    for (const session of ['first', 'second']) {
      const more = { 'authorization': 'Bearer token-of-acme', 'x-session-id': session }
      await (await post(gateway, openaiFixture, openaiFixture.body(2), more)).text()
    }
    const isEnd = (text: string) => text.includes('"session":"second"') && /assembled[^]*assembled/.test(text)
    const told = await pieces(own.body!, isEnd)
    expect(told.match(/^event: context:assembled$/gm)).toHaveLength(2)
    expect(told).not.toContain('Find the value')
    const chosen = await pieces(one.body!, (text) => text.includes('data:'))
    expect(chosen).toContain('"session":"second"')
    expect(chosen).not.toContain('"session":"first"')
    await gateway.close()
    expect(await others.text()).not.toContain('data:')
  })

  it('V-067: tells once of each change that a feedback loop makes, and not of outcomes that change nothing', async () => {
    const gateway = await testGateway()
    const { body } = await fetch(`${gateway.url}/v1/events?type=context:feedback-loop,context:assembled`)
    const asked = 12
    for (let at = 0; at < asked; at += 1)
      await (await post(gateway, openaiFixture, openaiFixture.body(1), { 'x-session-id': `s${at}` })).text()
    const told = await pieces(body!, (text) => text.match(/^event: context:assembled$/gm)?.length === asked)
    const loops = Array.from(told.matchAll(/^event: context:feedback-loop\ndata: (.*)$/gm), ([, data = '']) => {
      return JSON.parse(data) as FeedbackLoop & { readonly session: string }
    })
    expect(loops.length).toBeGreaterThan(0)
    expect(loops.length).toBeLessThan(asked)
    const shares = loops.flatMap(({ adjustments }) =>
      adjustments.map(({ before, after }) => [before, after] as number[]),
    )
    for (const [index, [before = 0, after = 0]] of shares.entries()) {
      expect(Math.abs(after - before)).toBeGreaterThanOrEqual(0.0099)
      expect(before).toBe(shares[index - 1]?.[1] ?? before)
    }
    expect(loops.map(({ loopId }) => loopId)).toEqual(loops.map(() => 'token-counts'))
    expect(loops.reduce((sum, { recordCount }) => sum + recordCount, 0)).toBe(loops.at(-1)!.tick)
    expect(loops.at(-1)!.adjustments[0]!.path).toEqual(['calibration', 'gpt-5.1', 'usedShare'])
  })

  it('asks for a token like all else', async () => {
    const gateway = await testGateway({ config: { tokens } })
    expect((await fetch(`${gateway.url}/v1/events`)).status).toBe(401)
  })

  it('tells no tenant what a policy has for another', async () => {
    const overrides = { tenant: { acme: { epochs: { keepFull: 6 } } } }
    const policy = { extends: 'careful', id: 'house', version: '1.0.0', overrides }
    const gateway = await testGateway({ config: { tokens, policy } })
    const { body } = await listen(gateway.url, 'umbrella', '?last=0')
    expect(await pieces(body!, (text) => text.includes('data:'))).not.toContain('acme')
  })

  it('N-38: tells of a step that has taken more than its requests say that it may, once', async () => {
    const gateway = await testGateway()
    const { body } = await fetch(`${gateway.url}/v1/events?type=step:limits-missed,context:assembled`)
    for (const results of [1, 2, 3]) {
      const prehend = { taskId: 'release', stepId: 'find', limits: { tokens: 10, latencyMs: 600_000 } }
      await (await post(gateway, openaiFixture, openaiFixture.body(results, { prehend }))).text()
    }
    const told = await pieces(body!, (text) => text.match(/^event: context:assembled$/gm)?.length === 3)
    expect(told.match(/^event: step:limits-missed$/gm)).toHaveLength(1)
    expect(told).toContain('"stepId":"find"')
    expect(told).toMatch(/"missed":\[\{"limit":"tokens","most":10,"actual":\d+\}\]/)
    const wrong = openaiFixture.body(1, { prehend: { limits: { latencyMs: -1 } } })
    const refused = await post(gateway, openaiFixture, wrong)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('prehend.limits.latencyMs')])
  })

  it('tells of a policy that has changed', async () => {
    const gateway = await testGateway({ config: { policy: { extends: 'careful', id: 'house', version: '1.0.0' } } })
    const told = await pieces((await fetch(`${gateway.url}/v1/events?last=0`)).body!, (text) => text.includes('data:'))
    expect(told).toContain('event: context:policy-updated')
  })
})
