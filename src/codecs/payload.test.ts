import { describe, expect, it } from 'vitest'
import { packOf } from '../testing/index.ts'
import type { WireExchange, Item, JsonObject, KnownDialect, Pack } from '../core/index.ts'
import type { Codec } from './index.ts'
import { codecs } from './index.ts'

const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }

/** The words of a dialect. */
interface Words {
  readonly picture: JsonObject
  readonly messages: string
  /** What the user says, with a picture or without. */
  user(text: string, ...pictures: readonly JsonObject[]): JsonObject
  model(text: string): JsonObject
  tools(names: readonly string[]): readonly JsonObject[]
  readonly web: JsonObject
  forced(name: string): JsonObject
  readonly auto: JsonObject
}

const longWords = 'long words'

const plain = {
  messages: 'messages',
  user: (text: string, ...pictures: readonly JsonObject[]) => {
    return { role: 'user', content: pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures] }
  },
  model: (text: string) => ({ role: 'assistant', content: text }),
  web: { type: 'web_search_1', name: 'web', web_search_1: { name: 'web' } },
}

const dialectWords: { readonly [Name in KnownDialect]: Words } = {
  'openai-chat': {
    ...plain,
    picture: { type: 'image_url', image_url: { url: `data:image/png;base64,${png.data}` } },
    tools: (names) =>
      names.map((name) => ({ type: 'function', function: { name, description: longWords, parameters: {} } })),
    forced: (name) => ({ tool_choice: { type: 'function', function: { name } } }),
    auto: { tool_choice: 'auto' },
  },
  'anthropic-messages': {
    ...plain,
    picture: { type: 'image', source: png },
    tools: (names) => names.map((name) => ({ name, description: longWords, input_schema: {} })),
    forced: (name) => ({ tool_choice: { type: 'tool', name } }),
    auto: { tool_choice: { type: 'auto' } },
  },
  'openai-responses': {
    ...plain,
    messages: 'input',
    user: (text, ...pictures) => {
      return { role: 'user', content: pictures.length === 0 ? text : [{ type: 'input_text', text }, ...pictures] }
    },
    picture: { type: 'input_image', image_url: `data:image/png;base64,${png.data}` },
    tools: (names) => names.map((name) => ({ type: 'function', name, description: longWords, parameters: {} })),
    forced: (name) => ({ tool_choice: { type: 'function', name } }),
    auto: { tool_choice: 'auto' },
  },
  'gemini': {
    messages: 'contents',
    user: (text, ...pictures) => ({ role: 'user', parts: [{ text }, ...pictures] }),
    model: (text) => ({ role: 'model', parts: [{ text }] }),
    picture: { inlineData: { mimeType: 'image/png', data: png.data } },
    // In lists of one and of several.
    tools: ([first = '', ...names]) =>
      [[first], names].map((list) => ({
        functionDeclarations: list.map((name) => ({ name, description: longWords, parameters: {} })),
      })),
    web: { web: {} },
    forced: (name) => ({ tool_config: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] } } }),
    auto: { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
  },
}

function wordsOf({ dialect }: Codec): Words {
  return dialectWords[dialect as KnownDialect]
}

function exchangeOf(codec: Codec, more: JsonObject = {}): WireExchange {
  const { messages, user, model, picture, tools } = wordsOf(codec)
  const said = [user('what is this?', picture), model('A cat.'), user('and?')]
  const body = { model: 'm', max_tokens: 9, [messages]: said, tools: tools(['a', 'b', 'c']), ...more }
  return codec.decode({ body: JSON.stringify(body) })
}

function packed(exchange: WireExchange, layout: Pack['layout'], show: (item: Item) => string | undefined): Pack {
  const messages = layout === 'payload' ? [{ role: 'user' as const, text: 'all of it' }] : []
  return { ...packOf(exchange, show), layout, messages }
}

const layouts = ['messages', 'payload'] as const
const without =
  (name: string) =>
  (item: Item): string | undefined =>
    item.id === `tool:${name}` ? undefined : item.text

describe.each(codecs)('$dialect tools of a pack', (codec) => {
  it.each(layouts)('that it left out are left out, with layout %s', (layout) => {
    const exchange = exchangeOf(codec)
    const sent = codec.decode({ body: codec.encode(exchange, { pack: packed(exchange, layout, without('b')) }) })
    expect(sent.conversation.tools.map(({ name }) => name)).toEqual(['a', 'c'])
  })

  it.each(layouts)('are as short as it shows them, with layout %s', (layout) => {
    const exchange = exchangeOf(codec)
    const pack = packed(exchange, layout, ({ text }) => text.replace('long words', 'brief'))
    const sent = codec.decode({ body: codec.encode(exchange, { pack }) })
    expect(sent.conversation.tools.map(({ description }) => description)).toEqual(['brief', 'brief', 'brief'])
  })

  it.each(layouts)('cannot be left out when one is forced, or run by the provider, with layout %s', (layout) => {
    const { forced, tools, web } = wordsOf(codec)
    const exchange = exchangeOf(codec, forced('b'))
    expect(() => codec.encode(exchange, { pack: packed(exchange, layout, without('b')) })).toThrow(/tool b is forced/)
    expect(() => codec.encode(exchange, { pack: packed(exchange, layout, without('a')) })).not.toThrow()
    const search = exchangeOf(codec, { tools: [...tools(['a']), web] })
    expect(() => codec.encode(search, { pack: packed(search, layout, without('web')) })).toThrow(/tool web is run/)
  })

  it('that the body does not have are refused by name, not left out', () => {
    const exchange = exchangeOf(codec)
    const pack = packed(exchange, 'payload', ({ text }) => text)
    const entry = { itemId: 'search', section: 'tools', rung: 'full' as const, text: '{}', tokens: 1 }
    expect(() => codec.encode(exchange, { pack: { ...pack, entries: [...pack.entries, entry] } })).toThrow(/search/)
  })

  it('are gone with the choice among them when a payload has none', () => {
    const exchange = exchangeOf(codec, wordsOf(codec).auto)
    const pack = packed(exchange, 'payload', ({ kind, text }) => (kind === 'tool-schema' ? undefined : text))
    const sent = JSON.parse(codec.encode(exchange, { pack }))
    expect([sent.tools, sent.tool_choice, sent.toolConfig]).toEqual([undefined, undefined, undefined])
  })
})

describe.each(codecs)('media in a $dialect payload', (codec) => {
  it('is the block that it was, beside the text', () => {
    const exchange = exchangeOf(codec)
    const sent = JSON.parse(codec.encode(exchange, { pack: packed(exchange, 'payload', ({ text }) => text) }))
    const { messages, user, picture } = wordsOf(codec)
    expect(sent[messages]).toEqual([user('all of it', picture)])
  })

  it('that the pack left out is left out', () => {
    const exchange = exchangeOf(codec)
    const pack = packed(exchange, 'payload', ({ kind, text }) => (kind === 'media' ? undefined : text))
    const { messages, user } = wordsOf(codec)
    expect(JSON.parse(codec.encode(exchange, { pack }))[messages]).toEqual([user('all of it')])
  })

  it('that is in no body is refused by name', () => {
    const exchange = exchangeOf(codec)
    const pack = packed(exchange, 'payload', ({ text }) => text)
    const entry = { itemId: 'scan', section: 'evidence', rung: 'full' as const, text: '', tokens: 9 }
    const items: readonly Item[] = [{ id: 'scan', section: 'evidence', kind: 'media', text: '' }]
    const view = { pack: { ...pack, entries: [...pack.entries, entry] }, items }
    expect(() => codec.encode(exchange, view)).toThrow(/scan/)
  })
})

describe('a recording that the model made', () => {
  it('can stand in no message of the user', () => {
    const [codec] = codecs
    const messages = [
      { role: 'user', content: 'sing' },
      { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    ]
    const exchange = codec?.decode({ body: JSON.stringify({ model: 'm', messages }) })
    const pack = exchange && packed(exchange, 'payload', ({ text }) => text)
    expect(() => exchange && pack && codec?.encode(exchange, { pack })).toThrow(/media that no message/)
  })
})
