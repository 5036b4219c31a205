import type { Content, GenerateContentConfig, Part } from '@google/genai'
import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import { manualClock } from './clock.ts'
import type { ScriptEntry } from './script.ts'
import type { SimulatedProvider, SimulatedProviderOptions } from './simulated-provider.ts'
import { simulatedProvider } from './simulated-provider.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const config: GenerateContentConfig = {
  tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads a file.', parametersJsonSchema: schema }] }],
}
const said = (role: string, ...parts: Part[]): Content => ({ role, parts })
const question = said('user', { text: 'Which value?' })
const calling: ScriptEntry = {
  thinking: 'Both files.',
  text: 'Let me look.',
  toolCalls: ['a', 'b'].map((path) => ({ name: 'read', arguments: { path } })),
}

interface Client {
  readonly ai: GoogleGenAI
  readonly provider: SimulatedProvider
}

function clientOf(script: readonly ScriptEntry[] = [], options: SimulatedProviderOptions = {}): Client {
  const provider = simulatedProvider({ clock: manualClock(), script, ...options })
  const ai = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: 'http://simulated', fetch: provider.fetch } })
  return { ai, provider }
}

async function answerOf(
  { ai }: Client,
  stream: boolean,
  asked: { readonly contents: Content[]; readonly model?: string; readonly config?: GenerateContentConfig },
) {
  const request = { model: 'gemini-3.5-flash', config, ...asked }
  if (!stream) {
    const { candidates: [candidate] = [], ...rest } = await ai.models.generateContent(request)
    return { ...rest, finishReason: candidate?.finishReason, parts: candidate?.content?.parts ?? [] }
  }
  const chunks = []
  for await (const chunk of await ai.models.generateContentStream(request)) chunks.push(chunk)
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const finishReason = chunks.at(-1)?.candidates?.[0]?.finishReason
  return { usageMetadata: chunks.at(-1)?.usageMetadata, finishReason, parts, chunks }
}

function textOf(parts: readonly Part[], thought = false): string {
  return parts.map(({ text = '', thought: is = false }) => (is === thought ? text : '')).join('')
}

describe.each([false, true])('the Google SDK, streamed: %s', (stream) => {
  it('gets an echo, and its bill', async () => {
    const { parts, usageMetadata: usage, finishReason } = await answerOf(clientOf(), stream, { contents: [question] })
    expect(textOf(parts)).toBe('You said: Which value?')
    expect(finishReason).toBe('STOP')
    expect(usage?.totalTokenCount).toBe(usage!.promptTokenCount! + usage!.candidatesTokenCount!)
    expect(usage).not.toHaveProperty('cachedContentTokenCount')
  })

  it('gets the first of its calls signed, and thoughts where it asks for them', async () => {
    const plain = await answerOf(clientOf([calling]), stream, { contents: [question] })
    expect(textOf(plain.parts, true)).toBe('')
    expect(plain.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0)
    const thinkingConfig = { includeThoughts: true }
    const { parts } = await answerOf(clientOf([calling]), stream, {
      contents: [question],
      config: { ...config, thinkingConfig },
    })
    expect([textOf(parts, true), textOf(parts)]).toEqual(['Both files.', 'Let me look.'])
    const calls = parts.filter(({ functionCall }) => functionCall)
    expect(
      calls.map(({ functionCall, thoughtSignature }) => [functionCall?.args, thoughtSignature !== undefined]),
    ).toEqual([
      [{ path: 'a' }, true],
      [{ path: 'b' }, false],
    ])
    expect(new Set(calls.map(({ functionCall }) => functionCall?.id)).size).toBe(2)
  })

  it('is taken back when it answers all calls with their signatures, and not without', async () => {
    const client = clientOf([calling, 'Both say 7.', 'x'])
    const { parts } = await answerOf(client, stream, { contents: [question] })
    const results = ['a', 'b'].map((output) => ({ functionResponse: { name: 'read', response: { output } } }))
    const contents = [question, said('model', ...parts), said('user', ...results)]
    const { parts: last } = await answerOf(client, stream, { contents })
    expect(textOf(last)).toBe('Both say 7.')
    expect(last.at(-1)?.thoughtSignature).toBeDefined()
    const unsigned = parts.map(({ thoughtSignature: _signature, ...part }) => part)
    const bare = [question, said('model', ...unsigned), said('user', ...results)]
    await expect(answerOf(client, stream, { contents: bare })).rejects.toThrow(
      /missing a thought_signature.*`default_api:read` , position 2\./,
    )
    await expect(answerOf(client, stream, { contents: bare, model: 'gemini-2.5-pro' })).resolves.toBeDefined()
    const next = [...bare, said('model', ...last), said('user', { text: 'Sure?' })]
    await expect(answerOf(client, stream, { contents: next })).resolves.toBeDefined()
  })

  it('ends where its limit is', async () => {
    const answer = await answerOf(clientOf(['word '.repeat(99)]), stream, {
      contents: [question],
      config: { maxOutputTokens: 9 },
    })
    expect(answer.finishReason).toBe('MAX_TOKENS')
    expect(answer.usageMetadata?.candidatesTokenCount).toBe(9)
  })

  it('is told why a prompt is blocked', async () => {
    const { ai } = clientOf([{ fault: { kind: 'refusal' } }, { fault: { kind: 'refusal' } }])
    const asked = { model: 'gemini-2.5-flash', contents: [question] }
    if (stream)
      for await (const { candidates } of await ai.models.generateContentStream(asked))
        expect(candidates).toBeUndefined()
    const { promptFeedback, candidates } = await ai.models.generateContent(asked)
    expect([promptFeedback?.blockReason, candidates]).toEqual(['PROHIBITED_CONTENT', undefined])
  })

  it('is refused in the words of Google', async () => {
    const limited: ScriptEntry = { fault: { kind: 'error', status: 429, retryAfterSeconds: 39 } }
    await expect(answerOf(clientOf([limited]), stream, { contents: [question] })).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(/"status":"RESOURCE_EXHAUSTED".*"retryDelay":"39s"/),
    })
    await expect(answerOf(clientOf(), stream, { contents: [question], model: 'gemini-pro' })).rejects.toThrow(
      /models\/gemini-pro is not found.*"status":"NOT_FOUND"/,
    )
    const stranger = clientOf([], { apiKeys: ['other'] })
    await expect(answerOf(stranger, stream, { contents: [question] })).rejects.toThrow(/API_KEY_INVALID/)
  })
})

describe('the simulated Gemini', () => {
  it('reads a prefix that it has seen, from the minimum of the model on, and charges nothing for keeping it', async () => {
    const client = clientOf()
    const long = said('user', { text: 'one two three four '.repeat(1000) })
    const again = [long, said('model', { text: 'Yes.' }), question]
    await answerOf(client, false, { contents: [long], model: 'gemini-2.5-pro' })
    const { usageMetadata: usage } = await answerOf(client, false, { contents: again, model: 'gemini-2.5-pro' })
    expect(usage?.cachedContentTokenCount).toBeGreaterThan(4000)
    expect(usage?.cacheTokensDetails).toEqual([{ modality: 'TEXT', tokenCount: usage?.cachedContentTokenCount }])
    expect(usage?.cachedContentTokenCount).toBeLessThan(usage!.promptTokenCount!)
    expect(client.provider.requests.at(-1)?.usage?.cacheWriteTokens).toBe(0)
    const short = said('user', { text: 'one two three four '.repeat(450) })
    await answerOf(client, false, { contents: [short], model: 'gemini-2.5-pro' })
    const other = await answerOf(client, false, { contents: [short, ...again.slice(1)], model: 'gemini-2.5-pro' })
    expect(other.usageMetadata?.promptTokenCount).toBeLessThan(2048)
    expect(other.usageMetadata).not.toHaveProperty('cachedContentTokenCount')
  })

  it('counts tokens and lists its models', async () => {
    const { ai } = clientOf([], { models: ['gemini-2.5-pro', 'gpt-4o'] })
    const { totalTokens } = await ai.models.countTokens({ model: 'gemini-2.5-pro', contents: [question] })
    expect(totalTokens).toBeGreaterThan(0)
    const models = await ai.models.list()
    expect(models.page.map(({ name }) => name)).toEqual(['models/gemini-2.5-pro'])
    expect((await ai.models.get({ model: 'gemini-2.5-pro' })).inputTokenLimit).toBe(1_048_576)
    await expect(ai.models.get({ model: 'gpt-4o' })).rejects.toMatchObject({ status: 404 })
  })

  it('streams a list where nobody asks for events, errors included', async () => {
    const { provider } = clientOf(['one two', { text: 'one two', fault: { kind: 'stream-error', afterChunks: 1 } }])
    const ask = async (contents: readonly Content[]) => {
      const response = await provider.fetch('http://simulated/v1beta/models/gemini-2.5-pro:streamGenerateContent', {
        method: 'POST',
        headers: { 'x-goog-api-key': 'key' },
        body: JSON.stringify({ contents }),
      })
      return { response, list: (await response.json()) as readonly Record<string, unknown>[] }
    }
    const { response, list } = await ask([question])
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(list).toHaveLength(3)
    const broken = await ask([question])
    expect(broken.list.at(-1)).toMatchObject({ error: { code: 529, status: 'UNAVAILABLE' } })
    expect((await ask([])).list).toMatchObject([{ error: { code: 400, status: 'INVALID_ARGUMENT' } }])
  })

  it('calls what it must', async () => {
    const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY }
    const { parts } = await answerOf(clientOf(), false, {
      contents: [question],
      config: { ...config, toolConfig: { functionCallingConfig } },
    })
    expect(parts[0]?.functionCall).toMatchObject({ name: 'read', args: { path: '' } })
  })

  it.each<[Record<string, unknown>, RegExp]>([
    [{ contents: [] }, /contents is not specified/],
    [{ contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, /Please use a valid role: user, model/],
    [{ contents: [{ parts: [] }] }, /contents\[0\]\.parts: contents\.parts must not be empty/],
    [{ contents: [{ parts: [{}] }] }, /contents\[0\]\.parts\[0\]\.data: required oneof field/],
    [{ contents: [call('a')] }, /function call turn comes immediately after a user turn/],
    [{ contents: [question, result('a')] }, /function response turn comes immediately after a function call turn/],
    [{ contents: [question, call('a', 'b'), result('a')] }, /number of function response parts is equal/],
    [{ contents: [question, call('a'), question] }, /number of function response parts is equal/],
    [{ contents: [question, call('a')] }, /number of function response parts is equal/],
    [{ contents: [question, said('model', { text: 'a' })] }, /end with a user role/],
    [
      { contents: [question, call('a'), said('user', { functionResponse: {} })] },
      /function_response\.name: Name cannot be empty/,
    ],
    [
      { contents: [question, said('model', { text: 'a', thoughtSignature: 'bm8=' }), question] },
      /Corrupted thought signature/,
    ],
    [{ contents: [question], tools: [{ functionDeclarations: [{ name: '1' }] }] }, /Invalid function name/],
    [{ contents: [question], messages: [] }, /Unknown name "messages": Cannot find field/],
    [{ contents: [question], generationConfig: { maxOutputTokens: 99_999 } }, /supported range is from 1/],
    [{ contents: [question], cachedContent: 'cachedContents/a', tools: [] }, /CachedContent can not be used with/],
    [{ contents: [question], cachedContent: 'cachedContents/a' }, /CachedContent not found/],
    [
      { contents: [question], toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } } },
      /Function a is allowed but not declared/,
    ],
  ])('refuses %j', async (body, message) => {
    const { provider } = clientOf()
    const response = await provider.fetch('http://simulated/v1beta/models/gemini-3.5-flash:generateContent', {
      method: 'POST',
      headers: { 'x-goog-api-key': 'key' },
      body: JSON.stringify(body),
    })
    const { error } = (await response.json()) as { readonly error: { readonly code: number; readonly message: string } }
    expect([response.status, error.message]).toEqual([error.code, expect.stringMatching(message)])
  })

  it('takes any signature that says so, replies in pieces, and several words of one speaker', async () => {
    const pieces = [
      question,
      said('model', { text: 'Well.' }),
      call('a'),
      result('a'),
      said('user', { text: 'Go on.' }),
    ]
    await expect(answerOf(clientOf(), false, { contents: pieces })).resolves.toBeDefined()
  })
})

function call(...paths: readonly string[]): Content {
  const parts = paths.map((path): Part => ({ functionCall: { name: 'read', args: { path } } }))
  return said('model', { ...parts[0], thoughtSignature: 'skip_thought_signature_validator' }, ...parts.slice(1))
}

function result(output: string): Content {
  return said('user', { functionResponse: { name: 'read', response: { output } } })
}
