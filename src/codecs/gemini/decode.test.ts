import { describe, expect, it } from 'vitest'
import type { WireExchange, Item, JsonObject } from '../../core/index.ts'
import { placeOfItem } from '../item-places.fixture.ts'
import { gemini } from './index.ts'

const path = '/v1beta/models/gemini-3-pro:generateContent'
const user = (text: string): JsonObject => ({ role: 'user', parts: [{ text }] })
const model = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'model', parts })
const call = (name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  functionCall: { name, args, ...more },
})
const result = (name: string, response: JsonObject, more: JsonObject = {}): JsonObject => ({
  functionResponse: { name, response, ...more },
})

function decoded(contents: readonly JsonObject[], more: JsonObject = {}, at = path): WireExchange {
  return gemini.decode({ path: at, body: JSON.stringify({ contents, ...more }) })
}

/** Items that are no tools, by their places. */
function placed(exchange: WireExchange): Readonly<Record<string, Item>> {
  const { items } = exchange.conversation
  return Object.fromEntries(items.map((item) => [placeOfItem(exchange, item.id), item]))
}

describe('whom a request of Gemini asks', () => {
  it.each([
    ['/v1beta/models/gemini-3-pro:generateContent', 'gemini-3-pro', false],
    ['/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse', 'gemini-2.5-flash', true],
    ['/v1beta/models/gemini-3-pro:streamGenerateContent?key=a:b', 'gemini-3-pro', true],
    ['/v1beta/models/gemini-3-pro:countTokens', 'gemini-3-pro', false],
  ])('stands in the path %s', (at, name, stream) => {
    const { conversation } = decoded([user('go')], {}, at)
    expect([conversation.model, conversation.stream]).toEqual([name, stream])
  })

  it('a name that no path can hold is read all the same', () => {
    const body = JSON.stringify({ model: 'half \ud800 a pair', contents: [user('go')] })
    const { wire, conversation } = gemini.decode({ body })
    expect(conversation.model).toBe('half \ud800 a pair')
    expect(wire.path).toContain('/models/half%20%EF%BF%BD%20a%20pair:')
    expect(gemini.renamedPath!(path, 'half \ud800')).toBe('/v1beta/models/half%20%EF%BF%BD:generateContent')
    expect(gemini.pathTo(conversation)).toContain('%EF%BF%BD')
  })

  it('stands in the body where no path says it, as in a batch, or nowhere', () => {
    const body = JSON.stringify({ model: 'models/gemini-3-pro', contents: [user('go')] })
    const { conversation, wire } = gemini.decode({ body })
    expect(conversation.model).toBe('gemini-3-pro')
    expect(gemini.decode({ path: wire.path, body }).conversation.model).toBe('gemini-3-pro')
    expect(gemini.decode({ body: JSON.stringify({ contents: [user('go')] }) }).conversation.model).toBe('')
  })
})

describe('a request of Gemini', () => {
  it('has its system prompt beside its contents, by either name', () => {
    for (const name of ['systemInstruction', 'system_instruction']) {
      const { conversation } = decoded([user('go')], { [name]: { parts: [{ text: 'law' }, { text: 'order' }] } })
      expect(conversation.messages[0]).toMatchObject({ id: 'system', role: 'system' })
      expect(conversation.items.slice(0, 2)).toMatchObject([
        { text: 'law', kind: 'instruction', section: 'policy', authority: 'system' },
        { text: 'order', kind: 'instruction' },
      ])
    }
  })

  it('may leave a role out, and has results in a role of their own', () => {
    const exchange = decoded([
      { parts: [{ text: 'go' }] },
      model(call('f')),
      { role: 'function', parts: [result('f', { output: 'done' })] },
    ])
    expect(exchange.conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(placed(exchange)).toMatchObject({ 'm0.b0': { section: 'query' }, 'm2.b0': { role: 'tool', text: 'done' } })
  })

  it('is read in every kind of part; thoughts, signed and unknown parts stay as they are', () => {
    const exchange = decoded([
      {
        role: 'user',
        parts: [
          { text: 'look' },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { file_data: { mime_type: 'video/mp4', file_uri: 'https://example.org/a.mp4' } },
        ],
      },
      model(
        { text: 'hm', thought: true },
        { text: 'So: ', thoughtSignature: 'c2ln' },
        { executableCode: { language: 'PYTHON', code: '1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        { ...call('f', { a: 1 }), thought_signature: 'c2ln' },
        call('f', { a: 2 }),
        { text: '', thoughtSignature: 'c2ln' },
      ),
    ])
    const items = exchange.conversation.items.map(({ kind, text, frozen = false }) => [kind, text, frozen])
    expect(items).toEqual([
      ['text', 'look', false],
      ['media', '', false],
      ['media', '', true],
      ['reasoning', '{"text":"hm","thought":true}', true],
      ['text', 'So: ', true],
      ['opaque', '{"executableCode":{"language":"PYTHON","code":"1"}}', true],
      ['opaque', '{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}', true],
      ['tool-call', '{"a":1}', true],
      ['tool-call', '{"a":2}', false],
      ['text', '', true],
    ])
    expect(placed(exchange)).toMatchObject({
      'm0.b1': { media: { type: 'image', mimeType: 'image/png', sizeBytes: 3 } },
      'm0.b2': { media: { type: 'video', mimeType: 'video/mp4', url: 'https://example.org/a.mp4' } },
    })
  })

  it('says where the bytes of its media are, save of files that only its provider has', () => {
    const exchange = decoded([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.org/a.pdf' } },
          { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' } },
          { fileData: { mimeType: 'audio/wav', fileUri: 'gs://bucket/a.wav' } },
        ],
      },
    ])
    const { items } = exchange.conversation
    expect(items.map(({ id }) => gemini.mediaUrl(exchange, id))).toEqual([
      'data:image/png;base64,AAAA',
      'https://example.org/a.pdf',
      undefined,
      undefined,
    ])
  })
})

describe('calls and results of Gemini', () => {
  const pairs = (exchange: WireExchange): readonly unknown[] =>
    exchange.conversation.items.flatMap(({ kind, group, text }) =>
      kind === 'tool-call' || kind === 'tool-result' ? [[kind, group, text]] : [],
    )

  it('belong together by their ids, in any order', () => {
    const exchange = decoded([
      user('go'),
      model(call('f', {}, { id: 'a' }), call('f', {}, { id: 'b' })),
      { role: 'user', parts: [result('f', { output: '2' }, { id: 'b' }), result('f', { output: '1' }, { id: 'a' })] },
    ])
    expect(pairs(exchange)).toEqual([
      ['tool-call', 'a', '{}'],
      ['tool-call', 'b', '{}'],
      ['tool-result', 'b', '2'],
      ['tool-result', 'a', '1'],
    ])
  })

  it('without ids belong together by name and order; the same call has another name each time', () => {
    const round = [
      model(call('f', { n: 1 }), call('g'), call('f', { n: 1 })),
      {
        role: 'user',
        parts: [result('g', { output: 'g' }), result('f', { output: '1' }), result('f', { output: '2' })],
      },
    ]
    const exchange = decoded([user('go'), ...round, ...round])
    const groups = exchange.conversation.items.flatMap(({ group }) => group ?? [])
    const [first, other, second, ...results] = groups
    expect(new Set([first, other, second]).size).toBe(3)
    expect(results.slice(0, 3)).toEqual([other, first, second])
    expect(groups.slice(6)).toEqual(groups.slice(0, 6).map((group) => `${group}#2`))
  })

  it('without ids have the same names however their JSON is written, and none that looks drawn', () => {
    const of = (args: string): string | undefined =>
      gemini
        .decode({
          path,
          body: `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":${args}}}]}]}`,
        })
        .conversation.items.find(({ kind }) => kind === 'tool-call')?.toolCallId
    expect(of('{"b":1.0, "a":"\\u00e9"}')).toBe(of('{"a":"é","b":1}'))
    expect(of('{}')).not.toBe(of('{"a":1}'))
    expect(of('{}')).toMatch(/^call(-\w{1,4})+$/)
  })

  it('are paired by name where only one of them has an id, as some clients leave it', () => {
    const lost = decoded([user('go'), model(call('f', {}, { id: 'a' })), { role: 'user', parts: [result('f', {})] }])
    const made = decoded([user('go'), model(call('f')), { role: 'user', parts: [result('f', {}, { id: 'made' })] }])
    for (const exchange of [lost, made]) {
      const [one, two] = exchange.conversation.items.flatMap(({ group }) => group ?? [])
      expect(one).toBe(two)
    }
  })

  it('are refused where a result has no call, with the field', () => {
    expect(() => decoded([user('go'), { role: 'user', parts: [result('f', {})] }])).toThrow(
      expect.objectContaining({
        data: expect.objectContaining({ field: 'contents[1].parts[0].functionResponse.name' }),
      }),
    )
  })

  it.each<[JsonObject, string, 'error' | undefined]>([
    [{ output: 'words' }, 'words', undefined],
    [{ result: 'words' }, 'words', undefined],
    [{ anything: 'words' }, 'words', undefined],
    [{ name: 'f', content: 'words' }, 'words', undefined],
    [{ error: 'words' }, 'words', 'error'],
    [{ error: { code: 1 } }, '{"error":{"code":1}}', 'error'],
    [{ output: 'words', exit: 1 }, '{"output":"words","exit":1}', undefined],
    [{}, '{}', undefined],
  ])('read %j as %s', (response, text, status) => {
    const exchange = decoded([user('go'), model(call('f')), { role: 'user', parts: [result('f', response)] }])
    const item = exchange.conversation.items.at(-1)
    expect([item?.text, item?.status]).toEqual([text, status])
  })

  it('may bring pictures', () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
    const exchange = decoded([
      user('go'),
      model(call('f')),
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'see' }, parts } }] },
    ])
    const { 'm2.b0': words, 'm2.b0.p0': picture } = placed(exchange)
    expect([words?.kind, picture?.kind, picture?.role, picture?.group]).toEqual([
      'tool-result',
      'media',
      'tool',
      words?.group,
    ])
    expect(gemini.mediaUrl(exchange, picture?.id ?? '')).toBe('data:image/png;base64,AAAA')
  })
})

describe('tools of Gemini', () => {
  const open = { type: 'OBJECT', properties: { n: { type: 'INTEGER', nullable: true } }, minProperties: '1' }
  const json = { type: 'object', properties: { n: { type: ['integer', 'null'] } }, minProperties: 1 }

  it('are told from both kinds of schema, in both spellings; what the provider runs is an item only', () => {
    const { conversation } = decoded([user('go')], {
      tools: [
        { functionDeclarations: [{ name: 'f', description: 'does', parameters: open }, { name: 'g' }] },
        { googleSearch: {} },
        { function_declarations: [{ name: 'h', parameters_json_schema: json }] },
      ],
    })
    expect(conversation.tools).toEqual([
      { name: 'f', description: 'does', schema: json },
      { name: 'g', description: '', schema: {} },
      { name: 'h', description: '', schema: json },
    ])
    const tools = conversation.items.filter(({ kind }) => kind === 'tool-schema')
    expect(tools.map(({ toolName, frozen = false }) => [toolName, frozen])).toEqual([
      ['f', false],
      ['g', false],
      ['googleSearch', true],
      ['h', false],
    ])
  })

  const tools = [{ functionDeclarations: [{ name: 'f' }] }]
  const calling = (config: JsonObject): JsonObject => ({ tools, toolConfig: { functionCallingConfig: config } })
  it.each<[string, JsonObject, boolean]>([
    ['tools alone', { tools }, true],
    ['a free choice', calling({ mode: 'AUTO' }), true],
    ['calls that are checked', calling({ mode: 'VALIDATED' }), true],
    ['a forced call', calling({ mode: 'ANY' }), false],
    ['no call at all', calling({ mode: 'NONE' }), false],
    ['tools of the provider alone', { tools: [{ googleSearch: {} }] }, false],
    ['tools that stand in a cache', { tools, cachedContent: 'cachedContents/abc' }, false],
    ['several answers', { tools, generationConfig: { candidateCount: 2 } }, false],
    ['no tools', {}, false],
  ])('accept one more beside %s: %#', (_, more, accepts) => {
    expect(decoded([user('go')], more).wire.acceptsTool).toBe(accepts)
  })
})

describe('sampling of Gemini', () => {
  it('is read in both spellings', () => {
    const { conversation } = decoded([user('go')], {
      generation_config: {
        temperature: 0.5,
        top_p: 0.9,
        topK: 40,
        stop_sequences: ['END'],
        seed: 7,
        max_output_tokens: 99,
      },
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    })
    expect(conversation.maxOutputTokens).toBe(99)
    expect(conversation.sampling).toEqual({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stop: ['END'],
      seed: 7,
      toolChoice: { name: 'f' },
    })
  })

  it.each<[JsonObject, unknown]>([
    [{ responseMimeType: 'application/json' }, 'json'],
    [{ responseMimeType: 'application/json', responseSchema: { type: 'STRING' } }, { schema: { type: 'string' } }],
    [{ responseMimeType: 'application/json', responseJsonSchema: { type: 'string' } }, { schema: { type: 'string' } }],
    [{ responseMimeType: 'text/x.enum' }, undefined],
  ])('asks for JSON in the words %j', (generationConfig, format) => {
    expect(decoded([user('go')], { generationConfig }).conversation.sampling.responseFormat).toEqual(format)
  })
})

describe('a malformed request of Gemini', () => {
  it.each<[string, string]>([
    ['{}', 'contents'],
    ['{"contents":[]}', 'contents'],
    ['{"contents":{"parts":{"text":"a"}}}', 'contents'],
    ['{"contents":[7]}', 'contents[0]'],
    ['{"contents":[{"role":"system","parts":[]}]}', 'contents[0].role'],
    ['{"contents":[{"parts":{"text":"a"}}]}', 'contents[0].parts'],
    ['{"contents":[{"parts":["a"]}]}', 'contents[0].parts[0]'],
    ['{"contents":[{"parts":[{"functionCall":{"name":""}}]}]}', 'contents[0].parts[0].functionCall.name'],
    [
      '{"contents":[{"parts":[{"function_call":{"name":"f","args":"{}"}}]}]}',
      'contents[0].parts[0].function_call.args',
    ],
    ['{"contents":[{"parts":[{"text":"a"}]}],"systemInstruction":"a"}', 'systemInstruction'],
    [
      '{"contents":[{"parts":[{"text":"a"}]}],"tools":[{"functionDeclarations":[{}]}]}',
      'tools[0].functionDeclarations[0].name',
    ],
    ['{"contents":[{"parts":[{"text":"a"}]}],"tools":{}}', 'tools'],
    [
      '{"contents":[{"parts":[{"text":"a"}]}],"generation_config":{"max_output_tokens":1.5}}',
      'generation_config.max_output_tokens',
    ],
  ])('%s is refused with its field', (body, field) => {
    expect(() => gemini.decode({ path, body })).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field }) }),
    )
  })
})
