import { afterEach, describe, expect, it } from 'vitest'
import { codecFor, sseParser } from '../../codecs/index.ts'
import type { ModelReply } from '../../core/index.ts'
import { fetchUpstream } from '../../providers/index.ts'
import type { AskedOfGemini, Content, GeminiBody, Part } from './scripted-gemini.fixture.ts'
import { firstHandle, geminiBody, scriptedGemini } from './scripted-gemini.fixture.ts'
import { anHourMs, closeTestGateways, longResult, needleOf, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const codec = codecFor('gemini')
const model = '/models/gemini-3-pro'

function post(gateway: TestGateway, path: string, body: unknown): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** What a client reads, in whatever form it asked for. */
async function answerOf(response: Response): Promise<ModelReply> {
  const text = await response.text()
  if (response.headers.get('content-type') !== 'text/event-stream') return codec.decodeReply(text)
  const reducer = codec.reducer()
  const parser = sseParser()
  const events = [...parser.push(text), ...parser.end()]
  return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
}

const forms = [
  { form: 'as one reply', path: `/v1beta${model}:generateContent` },
  { form: 'as events', path: `/v1${model}:streamGenerateContent?alt=sse` },
  { form: 'as a list', path: `/v1beta${model}:streamGenerateContent` },
]

/** The model asks for the first result in its third answer, and then says what it got. */
function asking({ body }: AskedOfGemini, turn: number): readonly Part[] {
  if (turn < 2) return [{ text: 'done' }]
  if (turn > 3) return [{ text: 'So it is.' }]
  if (turn === 3) return [{ text: body.includes(needleOf(1)) ? needleOf(1) : 'It is not there.' }]
  const handle = firstHandle(body) ?? 'none'
  const call = { functionCall: { name: 'rehydrate', args: { handle } }, thoughtSignature: 'b3Vyc0FB' }
  return [{ text: 'Hm.', thought: true }, { text: 'Let me look. ' }, call]
}

describe.each(forms)('a conversation of Gemini $form', ({ path }) => {
  it('is shortened, gets back what it asks for unseen, and finds it again in the next request', async () => {
    const provider = scriptedGemini(asking)
    const gateway = await testGateway({ upstream: provider.upstream })
    for (const results of [7, 8]) {
      await (await post(gateway, path, geminiBody(results))).text()
      await gateway.clock.advance(anHourMs)
    }
    const response = await post(gateway, path, geminiBody(9))
    const answer = await answerOf(response)
    expect(answer).toMatchObject({
      id: 'response_2',
      text: `Let me look. ${needleOf(1)}`,
      toolCalls: [],
      stopReason: 'STOP',
      usage: { inputTokens: 103, outputTokens: 3 },
    })
    const [asked, again] = provider.requests.slice(-2)
    expect([asked?.path, again?.path]).toEqual([path, path])
    expect(asked?.body).not.toContain(needleOf(1))
    expect(again?.body).toContain(JSON.stringify(longResult(1)).slice(1, -1))
    expect(signatures(again?.body)).toEqual([...signatures(JSON.stringify(geminiBody(9))), 'b3Vyc0FB'])

    const more: readonly Content[] = [JSON.parse(answer.message ?? ''), { role: 'user', parts: [{ text: 'Sure?' }] }]
    const next: GeminiBody = { ...geminiBody(9), contents: [...geminiBody(9).contents, ...more] }
    const last = await answerOf(await post(gateway, path, next))
    expect(last.text).toBe('So it is.')
    const sent = provider.requests.at(-1)?.body ?? ''
    const upTo = (again?.body ?? '').lastIndexOf(']}')
    expect(sent.slice(0, upTo)).toBe(again?.body.slice(0, upTo))
  })
})

/** All signatures of a body, in their order. */
function signatures(body = '{"contents":[]}'): readonly unknown[] {
  const { contents } = JSON.parse(body) as GeminiBody
  return contents.flatMap(({ parts }) => parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []))
}

describe('requests of Gemini', () => {
  it('go byte for byte where there is nothing to change, and come back so', async () => {
    const provider = scriptedGemini(() => [{ text: 'Hello.' }])
    const gateway = await testGateway({ upstream: provider.upstream })
    const body =
      '{ "contents" : [ {"parts":[{"text":"go"}]} ], "generation_config":{"temperature": 1.0}, "x_new": 1e400 }'
    const response = await post(gateway, `/v1beta${model}:generateContent`, body)
    expect(JSON.parse(await response.text())).toMatchObject({ responseId: 'response_0' })
    expect(provider.requests).toEqual([{ path: `/v1beta${model}:generateContent`, body }])
    expect(response.headers.get('x-prehend-skipped')).toBeNull()
  })

  it('that nobody can read go on as they came', async () => {
    const provider = scriptedGemini(() => [{ text: 'Hello.' }])
    const gateway = await testGateway({ upstream: provider.upstream })
    const body = '{"contents":{"parts":{"text":"Hello there"}}}'
    const response = await post(gateway, `/v1beta${model}:generateContent`, body)
    expect((await answerOf(response)).text).toBe('Hello.')
    expect(response.headers.get('x-prehend-skipped')).toBe('decode')
    expect(provider.requests[0]?.body).toBe(body)
  })

  it('with cached content, which may hold tools and instructions, get none of ours', async () => {
    const provider = scriptedGemini(() => [{ text: 'done' }])
    const gateway = await testGateway({ upstream: provider.upstream })
    const { tools: _tools, systemInstruction: _system, ...rest } = geminiBody(8)
    const bodies = [7, 8].map((results) => {
      return JSON.stringify({ ...rest, contents: geminiBody(results).contents, cachedContent: 'cachedContents/abc' })
    })
    for (const body of bodies) {
      expect((await post(gateway, `/v1beta${model}:generateContent`, body)).headers.get('x-prehend-skipped')).toBeNull()
      await gateway.clock.advance(anHourMs)
    }
    expect(provider.requests.map(({ body }) => body)).toEqual(bodies)
  })

  it('whose calls stand in cached content go on as they came', async () => {
    const provider = scriptedGemini(() => [{ text: 'done' }])
    const gateway = await testGateway({ upstream: provider.upstream })
    const { contents } = geminiBody(1)
    const body = JSON.stringify({ contents: contents.slice(2), cachedContent: 'cachedContents/abc' })
    const response = await post(gateway, `/v1beta${model}:generateContent`, body)
    expect((await answerOf(response)).text).toBe('done')
    expect(provider.requests).toEqual([{ path: `/v1beta${model}:generateContent`, body }])
  })

  it('are counted as they would be sent', async () => {
    const provider = scriptedGemini(asking)
    const gateway = await testGateway({ upstream: provider.upstream })
    for (const results of [7, 8]) {
      await (await post(gateway, `/v1beta${model}:generateContent`, geminiBody(results))).text()
      await gateway.clock.advance(anHourMs)
    }
    await (await post(gateway, `/v1beta${model}:countTokens`, { contents: geminiBody(9).contents })).text()
    const { path, body } = provider.requests.at(-1) ?? { path: '', body: '' }
    expect(path).toBe(`/v1beta${model}:countTokens`)
    expect(Object.keys(JSON.parse(body))).toEqual(['contents'])
  })

  it('are counted here where nobody else can', async () => {
    const nowhere = async (): Promise<Response> => new Response('no such route', { status: 404 })
    const upstream = fetchUpstream({ name: 'nowhere', origin: 'http://gemini', fetch: nowhere })
    const gateway = await testGateway({ upstream })
    const response = await post(gateway, `/v1beta${model}:countTokens`, { contents: geminiBody(1).contents })
    const { totalTokens } = JSON.parse(await response.text()) as { readonly totalTokens: number }
    expect(totalTokens).toBeGreaterThan(1000)
  })

  it('have errors of their own', async () => {
    const gateway = await testGateway({ config: { tokens: [{ token: 'token-of-acme', tenant: 'acme' }] } })
    const response = await post(gateway, `/v1beta${model}:generateContent`, geminiBody(1))
    expect(response.status).toBe(401)
    expect(JSON.parse(await response.text())).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } })
  })
})
