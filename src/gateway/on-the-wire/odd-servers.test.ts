import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { closeGateways, gatewayBefore } from './any-upstream.fixture.ts'

afterEach(closeGateways)

const reply = {
  id: 'x',
  object: 'chat.completion',
  model: 'gpt-5.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Low.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
}
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const answering =
  (answer: (response: ServerResponse) => unknown): RequestListener =>
  (request, response) => {
    request.resume()
    request.on('end', () => void answer(response))
  }

const clients = {
  'the same dialect': { path: '/v1/chat/completions', body: { model: 'gpt-5.1' } },
  'another dialect': { path: '/v1/messages', body: { model: 'openai/gpt-5.1', max_tokens: 9 } },
} as const
type Client = keyof typeof clients
const names = Object.keys(clients) as readonly Client[]

function ask(url: string, client: Client, more: object = {}): Promise<Response> {
  const { path, body } = clients[client]
  const messages = [{ role: 'user', content: 'Tide?' }]
  const headers = { 'content-type': 'application/json', 'authorization': 'Bearer key' }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ ...body, messages, ...more }) })
}

describe.each(names)('a client of %s is answered', (client) => {
  it('where the server says 100 Continue unasked', async () => {
    const url = await gatewayBefore(
      answering((response) => {
        response.writeContinue()
        response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
      }),
    )
    const answers = await Promise.all([1, 2, 3].map(() => ask(url, client)))
    for (const answer of answers)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Low.')])
  })

  it('where a mark of the byte order stands before the JSON', async () => {
    const url = await gatewayBefore(
      answering((response) => {
        response.setHeader('content-type', 'application/json').end(`\uFEFF${JSON.stringify(reply)}`)
      }),
    )
    const answer = await ask(url, client)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Low.')])
  })

  it('in events, where the server does not know of streams', async () => {
    for (const mark of ['', '\uFEFF']) {
      const url = await gatewayBefore(
        answering((response) => {
          response.setHeader('content-type', 'application/json').end(mark + JSON.stringify(reply))
        }),
      )
      const answer = await ask(url, client, { stream: true })
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(await answer.text()).toMatch(/^(?:event: message_start\n)?data: [\s\S]*Low\./)
    }
  })
})

/** A stream that begins, shows signs of life for as long as it is read, and says something every so often. */
const living = (saysEveryMs: number, sign: string): RequestListener =>
  answering(async (response) => {
    response.setHeader('content-type', 'text/event-stream').write(chunk({ role: 'assistant', content: 'Low' }))
    for (let said = performance.now(); !response.destroyed; await after(20)) {
      response.write(sign)
      if (performance.now() - said < saysEveryMs) continue
      said = performance.now()
      response.write(chunk({ content: '.' }))
    }
  })

describe.each(names)('a stream of signs of life for a client of %s', (client) => {
  it.each([': keep-alive\n\n', 'event: ping\ndata: {"type":"ping"}\n\n'])('ends in an error: %j', async (sign) => {
    const url = await gatewayBefore(living(Infinity, sign), { timeouts: { contentMs: 300 } })
    const beganMs = performance.now()
    const text = await (await ask(url, client, { stream: true })).text()
    expect(performance.now() - beganMs).toBeLessThan(5000)
    expect(text).toContain('Low')
    expect(text).toContain('did not say anything but signs of life within 300 ms')
  })

  it('goes on for as long as it says something', async () => {
    const url = await gatewayBefore(living(100, ': keep-alive\n\n'), { timeouts: { contentMs: 600 } })
    const { body } = await ask(url, client, { stream: true })
    let text = ''
    const untilMs = performance.now() + 1500
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
    while (performance.now() < untilMs) text += (await reader.read()).value ?? ''
    await reader.cancel()
    expect(text).not.toContain('signs of life')
    expect(text.match(/"(?:content|text)":"\."/g)!.length).toBeGreaterThan(4)
  })
})
