import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const policy = { extends: 'careful', id: 'small', version: '1.0.0', media: { images: { mostTokens: 700 } } }
const blue = { width: 1600, height: 1200, channels: 3, background: '#224466' } as const
const data = (await sharp({ create: blue }).png().toBuffer()).toString('base64')
const text = { type: 'text', text: 'What colour is it?' }
const source = { type: 'base64', media_type: 'image/png', data }
const asked = [
  {
    fixture: anthropicFixture,
    dialect: 'anthropic-messages',
    body: {
      model: 'claude-sonnet-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: [{ type: 'image', source }, text] }],
    },
  },
  {
    fixture: openaiFixture,
    dialect: 'openai-chat',
    body: {
      model: 'gpt-5.5',
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }, text] },
      ],
    },
  },
] as const

async function widthIn(dialect: string, body: string): Promise<number> {
  const codec = codecFor(dialect)
  const exchange = codec.decode({ body })
  const item = exchange.conversation.items.find(({ kind }) => kind === 'media')
  const url = codec.mediaUrl(exchange, item?.id ?? '') ?? ''
  const { width } = await sharp(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')).metadata()
  return width
}

describe.each(asked)('P-091: images on their way through a gateway, $dialect', ({ fixture, dialect, body }) => {
  it.each<readonly [string, GatewayConfigInput, boolean]>([
    ['of the configuration', { images: 'sharp' }, true],
    ['that nobody has named', {}, false],
  ])('are made smaller by a library %s', async (_, config, isSmaller) => {
    const gateway = await testGateway({ config: { policy, ...config }, script: () => 'Blue.' })
    const response = await post(gateway, fixture, body)
    expect(response.status).toBe(200)
    await response.text()
    const [sent] = gateway.provider.requests
    const width = await widthIn(dialect, sent?.body ?? '')
    expect(width < 1600).toBe(isSmaller)
  })
})
