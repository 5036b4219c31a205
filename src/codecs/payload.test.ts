import { describe, expect, it } from 'vitest'
import { packOf } from '../testing/index.ts'
import type { Exchange, Item, JsonObject, Pack } from '../core/index.ts'
import type { Codec } from './index.ts'
import { codecs } from './index.ts'

const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }

const url = `data:image/png;base64,${png.data}`

interface Wording {
  readonly list: 'input' | 'messages'
  words(text: string): JsonObject
  readonly picture: JsonObject
  tool(name: string, description?: string): JsonObject
  forced(name: string): JsonObject
  readonly auto: JsonObject | string
}

const wordings: Readonly<Record<string, Wording>> = {
  'openai-chat': {
    list: 'messages',
    words: (text) => ({ type: 'text', text }),
    picture: { type: 'image_url', image_url: { url } },
    tool: (name, description = 'long words') => ({ type: 'function', function: { name, description, parameters: {} } }),
    forced: (name) => ({ type: 'function', function: { name } }),
    auto: 'auto',
  },
  'anthropic-messages': {
    list: 'messages',
    words: (text) => ({ type: 'text', text }),
    picture: { type: 'image', source: png },
    tool: (name, description = 'long words') => ({ name, description, input_schema: {} }),
    forced: (name) => ({ type: 'tool', name }),
    auto: { type: 'auto' },
  },
  'openai-responses': {
    list: 'input',
    words: (text) => ({ type: 'input_text', text }),
    picture: { type: 'input_image', image_url: url },
    tool: (name, description = 'long words') => ({ type: 'function', name, description, parameters: {} }),
    forced: (name) => ({ type: 'function', name }),
    auto: 'auto',
  },
}

function wordingOf({ dialect }: Codec): Wording {
  const found = wordings[dialect]
  if (found === undefined) throw new Error(`no wording of ${dialect}`)
  return found
}

function exchangeOf(codec: Codec, more: JsonObject = {}): Exchange {
  const { list, words, picture, tool } = wordingOf(codec)
  const messages = [
    { role: 'user', content: [words('what is this?'), picture] },
    { role: 'assistant', content: 'A cat.' },
    { role: 'user', content: 'and?' },
  ]
  const tools = ['a', 'b', 'c'].map((name) => tool(name))
  return codec.decode({ body: JSON.stringify({ model: 'm', max_tokens: 9, [list]: messages, tools, ...more }) })
}

function packed(exchange: Exchange, layout: Pack['layout'], show: (item: Item) => string | undefined): Pack {
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
    const { forced, tool } = wordingOf(codec)
    const exchange = exchangeOf(codec, { tool_choice: forced('b') })
    expect(() => codec.encode(exchange, { pack: packed(exchange, layout, without('b')) })).toThrow(/tool b is forced/)
    expect(() => codec.encode(exchange, { pack: packed(exchange, layout, without('a')) })).not.toThrow()
    const web = { type: 'web_search_1', name: 'web', web_search_1: { name: 'web' } }
    const search = exchangeOf(codec, { tools: [tool('a'), web] })
    expect(() => codec.encode(search, { pack: packed(search, layout, without('web')) })).toThrow(/tool web is run/)
  })

  it('that the body does not have are refused by name, not left out', () => {
    const exchange = exchangeOf(codec)
    const pack = packed(exchange, 'payload', ({ text }) => text)
    const entry = { itemId: 'search', section: 'tools', rung: 'full' as const, text: '{}', tokens: 1 }
    expect(() => codec.encode(exchange, { pack: { ...pack, entries: [...pack.entries, entry] } })).toThrow(/search/)
  })

  it('are gone with the choice among them when a payload has none', () => {
    const exchange = exchangeOf(codec, { tool_choice: wordingOf(codec).auto })
    const pack = packed(exchange, 'payload', ({ kind, text }) => (kind === 'tool-schema' ? undefined : text))
    const sent = JSON.parse(codec.encode(exchange, { pack }))
    expect([sent.tools, sent.tool_choice]).toEqual([undefined, undefined])
  })
})

describe.each(codecs)('media in a $dialect payload', (codec) => {
  it('is the block that it was, beside the text', () => {
    const exchange = exchangeOf(codec)
    const sent = JSON.parse(codec.encode(exchange, { pack: packed(exchange, 'payload', ({ text }) => text) }))
    const { list, words, picture } = wordingOf(codec)
    expect(sent[list]).toEqual([{ role: 'user', content: [words('all of it'), picture] }])
  })

  it('that the pack left out is left out', () => {
    const exchange = exchangeOf(codec)
    const pack = packed(exchange, 'payload', ({ kind, text }) => (kind === 'media' ? undefined : text))
    const sent = JSON.parse(codec.encode(exchange, { pack }))
    expect(sent[wordingOf(codec).list]).toEqual([{ role: 'user', content: 'all of it' }])
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
