import type { Content, GenerateContentConfig, Part } from '@google/genai'
import { ApiError, GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, ScriptEntry } from '../../providers/index.ts'
import { compileAgain, verifyReceipt } from '../../sessions/index.ts'
import { hashesOf, receiptsOf, sentHashes } from './proven.fixture.ts'
import { anHourMs, closeTestGateways, longResult, needleOf, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const model = 'gemini-3.5-flash'
const read = {
  name: 'read',
  description: 'Reads a file.',
  parametersJsonSchema: { type: 'object', properties: { path: { type: 'string' } } },
}
const config: GenerateContentConfig = {
  systemInstruction: 'You are an agent.',
  tools: [{ functionDeclarations: [read] }],
}
const anySignature = 'skip_thought_signature_validator'

const said = (role: string, ...parts: Part[]): Content => ({ role, parts })
const user = (text: string): Content => said('user', { text })
const result = (name: string, output: string): Part => ({ functionResponse: { name, response: { output } } })

/** An agent that has read that many files. */
function contentsOf(results: number, ...more: readonly Content[]): Content[] {
  const steps = Array.from({ length: results }, (_, index) => {
    const functionCall = { name: 'read', args: { path: `f${index + 1}` } }
    return [
      said('model', { functionCall, thoughtSignature: anySignature }),
      said('user', result('read', longResult(index + 1))),
    ]
  })
  return [user('Find the value.'), ...steps.flat(), ...more]
}

function clientOf(gateway: TestGateway, apiKey = 'key'): GoogleGenAI {
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url, headers: { 'x-session-id': 's' } } })
}

interface Seen {
  readonly parts: readonly Part[]
  readonly text: string
  readonly promptTokens: number
}

async function ask(gateway: TestGateway, contents: Content[], stream: boolean): Promise<Seen> {
  const { models } = clientOf(gateway)
  const chunks = []
  if (stream)
    for await (const chunk of await models.generateContentStream({ model, contents, config })) chunks.push(chunk)
  else chunks.push(await models.generateContent({ model, contents, config }))
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  return {
    parts,
    text: parts.map(({ text = '' }) => text).join(''),
    promptTokens: chunks.at(-1)?.usageMetadata?.promptTokenCount ?? 0,
  }
}

const call = (name: string, args: object): AnswerPart => ({ type: 'tool-call', name, arguments: args as never })

function handleIn(body: string): string {
  return /rehydrate\(\\+"([\w-]+)/.exec(body)?.[1] ?? 'none'
}

function lastSent(gateway: TestGateway): { readonly contents: readonly Content[]; readonly tools: unknown } {
  return JSON.parse(gateway.provider.requests.at(-1)?.body ?? '{}') as never
}

/** Who says what kind of thing, pieces of one text as one. */
function kindsOf(contents: readonly Content[]): readonly string[] {
  const kinds = contents.flatMap(({ role, parts = [] }) =>
    parts.map((part) => `${role} ${part.functionCall?.name ?? part.functionResponse?.name ?? 'text'}`),
  )
  return kinds.filter((kind, index) => kind !== kinds[index - 1])
}

describe.each([false, true])("an agent with Google's SDK, streamed: %s", (stream) => {
  it('is answered', async () => {
    const gateway = await testGateway({ script: ['Hello there.'] })
    expect((await ask(gateway, [user('Hi.')], stream)).text).toBe('Hello there.')
    expect(lastSent(gateway).contents).toEqual([user('Hi.')])
  })

  it('calls its functions over several turns, each signed as the provider signed it', async () => {
    const both: ScriptEntry = { thinking: 'Hm.', parts: [call('read', { path: 'a' }), call('read', { path: 'b' })] }
    const gateway = await testGateway({
      script: [both, { parts: [call('read', { path: 'c' })] }, 'They say 7.', 'Yes.'],
    })
    const contents = [user('Find the value.')]
    const turn = async (...parts: readonly Part[]): Promise<Seen> => {
      if (parts.length > 0) contents.push(said('user', ...parts))
      const seen = await ask(gateway, contents, stream)
      contents.push(said('model', ...seen.parts))
      return seen
    }
    const first = await turn()
    expect(first.parts.flatMap(({ functionCall }) => functionCall?.args ?? [])).toEqual([{ path: 'a' }, { path: 'b' }])
    await turn(result('read', '3'), result('read', '4'))
    expect((await turn(result('read', '7'))).text).toBe('They say 7.')
    expect((await turn({ text: 'Sure?' })).text).toBe('Yes.')
    expect(lastSent(gateway).contents).toEqual(contents.slice(0, -1))
  })

  it('gets back what a pack left out, never sees how, and is verified by its receipts', async () => {
    const script = ({ body }: { readonly body: string }, turn: number): ScriptEntry => {
      const looks = {
        parts: [{ type: 'text', text: 'Let me look. ' }, call('rehydrate', { handle: handleIn(body) })],
      } as const
      if (turn === 2) return looks
      if (turn === 3) return body.includes(needleOf(1)) ? `It says: ${needleOf(1)}.` : 'It is not there.'
      return 'done'
    }
    const gateway = await testGateway({ script })
    for (const results of [7, 8]) {
      await ask(gateway, contentsOf(results), stream)
      await gateway.clock.advance(anHourMs)
    }
    const contents = contentsOf(8, said('model', { text: 'done' }), user('And?'))
    const seen = await ask(gateway, contents, stream)
    expect(seen.text).toBe(`Let me look. It says: ${needleOf(1)}.`)
    expect(JSON.stringify(seen.parts)).not.toContain('rehydrate')
    expect(gateway.provider.requests).toHaveLength(4)
    expect(gateway.provider.requests[2]?.body.length).toBeLessThan(JSON.stringify(contents).length * 0.55)
    expect(seen.promptTokens).toBe(gateway.provider.requests[3]?.usage?.inputTokens)

    // The chats of the SDK keep each chunk as a content of its own.
    const replied = stream ? seen.parts.map((part) => said('model', part)) : [said('model', ...seen.parts)]
    await ask(gateway, [...contents, ...replied, user('Thanks.')], stream)
    const sent = lastSent(gateway).contents
    expect(kindsOf(sent).slice(-6)).toEqual([
      'user text',
      'model text',
      'model rehydrate',
      'user rehydrate',
      'model text',
      'user text',
    ])
    expect(sent.flatMap(({ parts = [] }) => parts.map(({ text = '' }) => text)).join('')).toMatch(
      /And\?Let me look\. It says: the needle of result 1 is [\d-]+\.Thanks\.$/,
    )
    await verifyAll(gateway)
  })

  it('is refused in its own words', async () => {
    const gateway = await testGateway({ script: [{ fault: { kind: 'error', status: 429, retryAfterSeconds: 9 } }] })
    const limited = await ask(gateway, [user('Hi.')], stream).catch((error: unknown) => error)
    expect(limited).toBeInstanceOf(ApiError)
    expect(limited).toMatchObject({ status: 429, message: expect.stringContaining('"retryDelay":"9s"') })
    const functionCall = { name: 'read', args: {} }
    const unsigned = [user('Go.'), said('model', { functionCall }), said('user', result('read', '1'))]
    // A call without the signature that Google wants is given one, so that a history of another model goes on.
    await expect(ask(gateway, unsigned, stream)).resolves.toBeDefined()
    await expect(ask(gateway, unsigned.slice(0, 2), stream)).rejects.toThrow(/number of function response parts/)
    const closed = await testGateway({ config: { tokens: [{ token: 'token-of-acme', tenant: 'acme' }] } })
    await expect(ask(closed, [user('Hi.')], stream)).rejects.toThrow(/UNAUTHENTICATED/)
  })
})

/** Compiles and writes all requests of the gateway again, from their receipts. */
async function verifyAll(gateway: TestGateway): Promise<void> {
  const { store } = gateway
  expect((await receiptsOf(gateway)).flatMap(hashesOf)).toEqual(sentHashes(gateway))
  const listed = await store.read('receipts').list('default', { limit: 10 })
  expect(listed.map((receipt) => receipt.model)).toEqual(listed.map(() => model))
  for (const { requestId } of listed) {
    const receipt = (await store.read('receipts').get('default', requestId)) ?? expect.unreachable(requestId)
    const { input = expect.unreachable('no input'), manifest } = receipt
    const verify = (again = receipt) =>
      verifyReceipt({ receipt: again, input, compile: (anew) => compileAgain(anew, manifest) })
    expect(verify().differences).toEqual([])
    const path = receipt.request?.path?.replace(model, 'gemini-2.5-pro') ?? expect.unreachable('no path')
    const elsewhere = { ...receipt, request: { ...receipt.request!, path } }
    expect(verify(elsewhere).differences).toEqual([{ field: 'model', expected: model, actual: 'gemini-2.5-pro' }])
  }
}

describe("Google's SDK, beyond generateContent", () => {
  it('counts tokens of what would be sent, and lists models', async () => {
    const gateway = await testGateway()
    const ai = clientOf(gateway)
    const { totalTokens } = await ai.models.countTokens({ model, contents: contentsOf(1) })
    expect(totalTokens).toBeGreaterThan(1000)
    expect((await ai.models.get({ model })).name).toBe(`models/${model}`)
  })
})

describe("Google's cache", () => {
  it('is read as long as it is warm, and what is shown is changed when it is not', async () => {
    const gateway = await testGateway({ config: { policy: 'careful' } })
    const epochs: (readonly unknown[])[] = []
    const cached: number[] = []
    for (const [results, idleMs] of [
      [6, 0],
      [7, 179_000],
      [8, 181_000],
    ] as const) {
      await gateway.clock.advance(idleMs)
      await ask(gateway, contentsOf(results), false)
      const [last] = await gateway.store.read('receipts').list('default', { limit: 1 })
      const { manifest } =
        (await gateway.store.read('receipts').get('default', last?.requestId ?? '')) ?? expect.unreachable('none')
      epochs.push([manifest.epoch?.decision, manifest.epoch?.cause])
      cached.push(gateway.provider.requests.at(-1)?.usage?.cacheReadTokens ?? 0)
    }
    expect(epochs).toEqual([
      ['hold', 'no-gain'],
      ['hold', 'no-gain'],
      ['begin', 'cold-cache'],
    ])
    expect(cached).toEqual([0, expect.toSatisfy((tokens: number) => tokens > 40_000), 0])
  })
})
