import { describe, expect, it } from 'vitest'
import type { WireExchange, JsonObject, Pack } from '../../core/index.ts'
import { packOf } from '../../testing/index.ts'
import { textAt } from '../item-places.fixture.ts'
import { gemini } from './index.ts'

const path = '/v1beta/models/gemini-3-pro:generateContent'
const hiddenTools = [{ name: 'rehydrate', description: 'ours', schema: { type: 'object' } }]

function decoded(body: string): WireExchange {
  return gemini.decode({ path, body })
}

/** The body with these texts at these places. */
function shown(body: string, texts: Readonly<Record<string, string | undefined>>): string {
  const exchange = decoded(body)
  return gemini.encode(exchange, { pack: packOf(exchange, textAt(exchange, texts)) })
}

const signed = '{ "functionCall": {"name":"f","args":{"n": 1.0}}, "thoughtSignature" : "c2ln+/==" }'
const asks = '{"role":"user","parts":[{"text":"go"}]}'
const results = (response: string): string =>
  `{"role":"user","parts":[{"functionResponse":{"name":"f","response":${response}}}]}`
const body = (response: string): string =>
  `{"contents":[${asks},{"role":"model","parts":[${signed}]},${results(response)}], "safetySettings":[ ]}`

describe('a Gemini body with other texts', () => {
  it.each([
    ['{"output": "long words"}', '{"output": "short"}'],
    ['{"name":"f", "content":"long words"}', '{"name":"f", "content":"short"}'],
    ['{"exit": 1.0,"stdout":"long words"}', '{"output":"short"}'],
    ['{"error":{"code":1}}', '{"error":"short"}'],
    ['{}', '{"output":"short"}'],
  ])('has a result that was %s as %s, and all else as it was', (before, after) => {
    expect(shown(body(before), { 'm2.b0': 'short' })).toBe(body(after))
  })

  it('keeps what is signed as it came: it is shown so, or goes with its whole message', () => {
    const whole = body('{"output":"done"}')
    expect(() => shown(whole, { 'm1.b0': '{}' })).toThrow(/frozen/)
    const text = '{"text":"Yes.","thoughtSignature":"c2ln"}'
    const said = `{"contents":[${asks},{"role":"model","parts":[${text},{"text":"And no."}]},${asks}]}`
    expect(() => shown(said, { 'm1.b0': undefined })).toThrow(/frozen/)
    expect(shown(said, { 'm1.b0': undefined, 'm1.b1': undefined })).toBe(`{"contents":[${asks},${asks}]}`)
    expect(shown(said, { 'm1.b1': 'No.' })).toBe(said.replace('And no.', 'No.'))
  })

  it('loses a system prompt, or a part of it', () => {
    const withSystem = `{"system_instruction":{"parts":[{"text":"a"}, {"text":"b"}]},"contents":[${asks}]}`
    expect(shown(withSystem, { s0: undefined })).toBe(
      `{"system_instruction":{"parts":[{"text":"b"}]},"contents":[${asks}]}`,
    )
    expect(shown(withSystem, { s0: undefined, s1: undefined })).toBe(`{"contents":[${asks}]}`)
  })

  it('does not begin with the model, which the provider refuses', () => {
    const hello = `{"contents":[${asks},{"role":"model","parts":[{"text":"Hello."}]},${asks}]}`
    expect(() => shown(hello, { 'm0.b0': undefined })).toThrow(/begin with role assistant/)
  })
})

describe('a payload in a Gemini body', () => {
  it('has no system prompt beside cached content, which holds one', () => {
    const message = (role: 'system' | 'user') => ({ role, text: 'said' })
    const pack = (...messages: readonly ReturnType<typeof message>[]): Pack => {
      return { layout: 'payload', entries: [], messages, breakpoints: [], tokens: 0, hash: '' }
    }
    const exchange = decoded(`{"cachedContent":"cachedContents/a","contents":[${asks}]}`)
    expect(() => gemini.encode(exchange, { pack: pack(message('system'), message('user')) })).toThrow(/cached content/)
    expect(JSON.parse(gemini.encode(exchange, { pack: pack(message('user')) }))).toEqual({
      cachedContent: 'cachedContents/a',
      contents: [{ role: 'user', parts: [{ text: 'said' }] }],
    })
  })
})

describe('a tool of ours in a Gemini body', () => {
  const ours = '{"name":"rehydrate","description":"ours","parametersJsonSchema":{"type":"object"}}'
  const withTools = (tools: string): string => `{"tools":[${tools}],"contents":[${asks}]}`
  it.each([
    ['{"functionDeclarations":[{"name":"f"}]}', `{"functionDeclarations":[{"name":"f"},${ours}]}`],
    [
      '{"functionDeclarations":[{"name":"f"}]},{"functionDeclarations":[{"name":"g"}]}',
      `{"functionDeclarations":[{"name":"f"},${ours}]},{"functionDeclarations":[{"name":"g"}]}`,
    ],
    [
      '{"function_declarations":[{"name":"f"}]},{"googleSearch":{}}',
      `{"function_declarations":[{"name":"f"},${ours}]},{"googleSearch":{}}`,
    ],
  ])('joins %s', (before, after) => {
    expect(gemini.encode(decoded(withTools(before)), { hiddenTools })).toBe(withTools(after))
  })

  it('is not added where no tool may be', () => {
    expect(() => gemini.encode(decoded(withTools('{"googleSearch":{}}')), { hiddenTools })).toThrow(/accepts none/)
  })
})

describe('a Gemini body that is written', () => {
  const write = (contents: readonly JsonObject[], more: JsonObject = {}): ReturnType<typeof gemini.write> =>
    gemini.write(decoded(JSON.stringify({ contents, ...more })).conversation)
  const go = { role: 'user', parts: [{ text: 'go' }] }

  it('goes where its model is, streamed or not', () => {
    const { conversation } = decoded(JSON.stringify({ contents: [go] }))
    expect(gemini.pathTo(conversation)).toBe(path)
    expect(gemini.pathTo({ stream: true, model: 'a/b' })).toBe('/v1beta/models/a%2Fb:streamGenerateContent?alt=sse')
  })

  it('says what it was read from', () => {
    const contents = [
      go,
      {
        role: 'model',
        parts: [{ text: 'hm', thought: true }, { functionCall: { id: 'a', name: 'f', args: { n: 1 } } }],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: { error: 'no' } } }] },
    ]
    const more = {
      systemInstruction: { parts: [{ text: 'law' }] },
      tools: [
        {
          functionDeclarations: [
            { name: 'f', description: 'does', parametersJsonSchema: { type: 'object', properties: {} } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        temperature: 1,
        topP: 0.5,
        topK: 3,
        maxOutputTokens: 9,
        stopSequences: ['END'],
        seed: 7,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
    }
    const { body: text, lost } = write(contents, more)
    expect(lost).toEqual([])
    const call = { ...contents[1]?.parts[1], thoughtSignature: 'skip_thought_signature_validator' }
    const [, model] = contents
    expect(JSON.parse(text)).toEqual({
      contents: [go, { ...model, parts: [model?.parts[0], call] }, contents[2]],
      ...more,
    })
  })

  it('tells that a signature is gone, and what of sampling has no word', () => {
    const call = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2ln' }
    const answer = { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'a' } } }] }
    expect(write([go, { role: 'model', parts: [call] }, answer]).lost.map(({ kind }) => kind)).toEqual(['reasoning'])
    const { conversation } = decoded(JSON.stringify({ contents: [go] }))
    const sampling = { stop: ['a', 'b', 'c', 'd', 'e', 'f'], parallelToolCalls: false } as const
    const tools = [{ name: 'f', description: '', schema: {} }]
    expect(gemini.write({ ...conversation, sampling }, { hiddenTools: tools }).lost.map(({ what }) => what)).toEqual([
      'stop',
      'parallelToolCalls',
    ])
  })
})
