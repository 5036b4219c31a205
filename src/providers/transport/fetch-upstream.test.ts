import { describe, expect, it } from 'vitest'
import { simulatedProvider } from '../simulator/simulated-provider.ts'
import type { ScriptEntry } from '../simulator/script.ts'
import { fetchUpstream } from './fetch-upstream.ts'
import type { UpstreamReply, UpstreamTimeouts } from './upstream.ts'

const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'content-length': '3' }
const body = { model: 'claude-opus-5', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hi' }] }

function simulated(script: readonly ScriptEntry[], timeouts: Partial<UpstreamTimeouts> = {}) {
  const provider = simulatedProvider({ script })
  const up = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch, timeouts })
  const send = (signal = new AbortController().signal) =>
    up.send({ method: 'POST', path: '/v1/messages', headers, body: JSON.stringify(body), signal })
  return { provider, send }
}

async function textOf(reply: UpstreamReply): Promise<string> {
  return Buffer.concat(await Array.fromAsync(reply.body)).toString()
}

describe('fetchUpstream', () => {
  it('passes a stream on', async () => {
    const { send } = simulated(['one two'])
    const reply = await send()
    expect(reply.status).toBe(200)
    expect(await textOf(reply)).toContain('event: message_stop')
  })

  it('passes errors on as they are', async () => {
    const { send } = simulated([{ fault: { kind: 'error', status: 429, retryAfterSeconds: 2 } }])
    const reply = await send()
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    expect(await textOf(reply)).toContain('rate_limit_error')
  })

  it('says nothing of a compression that a fetch has undone, and all of one that it has not', async () => {
    for (const [encoding, said] of [
      ['gzip', undefined],
      ['constructor', 'constructor'],
    ]) {
      const fetch = async () => new Response('plain', { headers: { 'content-encoding': encoding! } })
      const up = fetchUpstream({ name: 'other', origin: 'http://other', fetch })
      const reply = await up.send({ method: 'GET', path: '/', headers: {}, signal: new AbortController().signal })
      expect(reply.headers['content-encoding']).toBe(said)
    }
  })

  it.each([
    ['first-byte', [{ fault: { kind: 'hang' } }], { firstByteMs: 10 }],
    ['idle', [{ text: 'one', fault: { kind: 'hang', afterChunks: 2 } }], { idleMs: 10 }],
    ['total', [{ text: 'one', fault: { kind: 'hang', afterChunks: 2 } }], { totalMs: 10 }],
  ] as const)('has a time limit: %s', async (phase, script, timeouts) => {
    const { send, provider } = simulated(script, timeouts)
    const whole = send().then(textOf)
    await expect(whole).rejects.toMatchObject({ code: 'upstream-timeout', data: { phase } })
    await expect.poll(() => provider.requests[0]?.state).toBe('aborted')
  })

  it('is called off by the signal', async () => {
    const { send, provider } = simulated([{ text: 'one', fault: { kind: 'hang', afterChunks: 2 } }])
    const abort = new AbortController()
    const reply = await send(abort.signal)
    const reading = textOf(reply)
    abort.abort()
    await expect(reading).rejects.toMatchObject({ code: 'upstream-broken' })
    await expect.poll(() => provider.requests[0]?.state).toBe('aborted')
  })

  it('breaks when the connection dies', async () => {
    const { send } = simulated([
      { fault: { kind: 'connection-death' } },
      { text: 'one', fault: { kind: 'connection-death', afterChunks: 2 } },
    ])
    await expect(send()).rejects.toMatchObject({ code: 'upstream-broken' })
    const reply = await send()
    await expect(textOf(reply)).rejects.toMatchObject({ code: 'upstream-broken' })
  })
})
