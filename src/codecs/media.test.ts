import { describe, expect, it } from 'vitest'
import type { Item, JsonObject } from '../core/index.ts'
import type { Codec } from './index.ts'
import { codecFor } from './index.ts'

const openai = codecFor('openai-chat')
const anthropic = codecFor('anthropic-messages')

/** The head of a PNG of 640 by 480. */
const png = Buffer.from([
  137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 2, 128, 0, 0, 1, 224,
]).toString('base64')

function only(codec: Codec, block: JsonObject): { readonly item: Item | undefined; readonly url: string | undefined } {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [block] }] })
  const exchange = codec.decode({ body })
  const [item] = exchange.conversation.items
  return { item, url: codec.mediaUrl(exchange, item?.id ?? '') }
}

describe('media in a request', () => {
  const picture = { type: 'image', mimeType: 'image/png', width: 640, height: 480, sizeBytes: 24 }

  it('tells the size of a picture whose data stand there, in both dialects', () => {
    const source = { type: 'base64', media_type: 'image/png', data: png }
    const url = `data:image/png;base64,${png}`
    expect(only(anthropic, { type: 'image', source })).toMatchObject({ item: { media: picture }, url })
    expect(only(openai, { type: 'image_url', image_url: { url, detail: 'low' } })).toMatchObject({
      item: { media: { ...picture, detail: 'low' } },
      url,
    })
  })

  it('tells where the rest is', () => {
    const url = 'https://example.org/a.png'
    expect(only(anthropic, { type: 'image', source: { type: 'url', url } })).toMatchObject({
      item: { media: { type: 'image', url } },
      url,
    })
    expect(only(openai, { type: 'image_url', image_url: { url } })).toMatchObject({
      item: { media: { type: 'image', url } },
      url,
    })
  })

  it('tells its type and size in bytes where no more can be told', () => {
    const data = Buffer.alloc(10).toString('base64')
    expect(only(openai, { type: 'input_audio', input_audio: { data, format: 'mp3' } }).item?.media).toMatchObject({
      type: 'audio',
      mimeType: 'audio/mp3',
      sizeBytes: 10,
    })
    const source = { type: 'base64', media_type: 'application/pdf', data }
    expect(only(anthropic, { type: 'document', source }).item?.media).toMatchObject({
      type: 'document',
      mimeType: 'application/pdf',
      sizeBytes: 10,
    })
  })

  it('that is broken or elsewhere is media all the same', () => {
    const source = { type: 'base64', media_type: 'image/png', data: '%%%' }
    expect(only(anthropic, { type: 'image', source }).item?.media).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
    })
    expect(only(anthropic, { type: 'document', source: { type: 'file', file_id: 'f' } })).toMatchObject({
      item: { media: { type: 'document' } },
      url: undefined,
    })
    expect(only(openai, { type: 'file', file: { file_id: 'f' } }).item?.media).toEqual({ type: 'document' })
    expect(only(openai, { type: 'image_url', image_url: { url: 'data:nonsense' } }).item?.media).toEqual({
      type: 'image',
    })
  })
})
