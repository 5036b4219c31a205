import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { bytesOf, pictureOf, pictureRequest } from '../../sessions/media/pictures.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const policy = { extends: 'careful', id: 'small', version: '1.0.0', media: { images: { mostTokens: 700 } } }
const picture = await pictureOf(1600, 1200)
const dialects = [
  { ...anthropicFixture, dialect: 'anthropic-messages' },
  { ...openaiFixture, dialect: 'openai-chat' },
] as const

function widthIn(dialect: string, body: string): Promise<number> {
  const codec = codecFor(dialect)
  const exchange = codec.decode({ body })
  const item = exchange.conversation.items.find(({ kind }) => kind === 'media')
  return sharp(bytesOf(codec.mediaUrl(exchange, item!.id)!))
    .metadata()
    .then(({ width }) => width)
}

describe.each(dialects)('P-091: images on their way through a gateway, $dialect', (fixture) => {
  it.each([
    ['of the configuration', { images: 'sharp' } as const, true],
    ['that nobody has named', {}, false],
  ])('are made smaller by a library %s', async (_, config, isSmaller) => {
    const gateway = await testGateway({ config: { policy, ...config }, script: () => 'Colours.' })
    const response = await post(gateway, fixture, pictureRequest(fixture.dialect, [picture]))
    expect(response.status).toBe(200)
    await response.text()
    const [sent] = gateway.provider.requests
    const width = await widthIn(fixture.dialect, sent!.body)
    expect(width < 1600).toBe(isSmaller)
  })
})
