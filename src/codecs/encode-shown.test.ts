import { describe, expect, it } from 'vitest'
import { careful, createCompiler } from '../compiler/index.ts'
import type { WireExchange, Item, KnownDialect } from '../core/index.ts'
import { codecCases } from '../testing/index.ts'
import { codecs } from './index.ts'

const tokenizer = { id: 'characters', count: (text: string): number => text.length }
const hash = (text: string): string => `${text.length}`

describe.each(codecs)('what a layer has made of $dialect items', (codec) => {
  const words = 'mail jane@example.org'
  const { bodyOf, userMessage } = codecCases[codec.dialect as KnownDialect]
  const body = bodyOf([userMessage(words)])
  const exchange = codec.decode({ body })
  const masked = exchange.conversation.items.map((item): Item => {
    return { ...item, text: item.text.replace('jane@example.org', '[EMAIL_1]') }
  })

  it('goes upstream when it is compiled, for it is not what the wire holds', () => {
    const { pack } = createCompiler({ tokenizer, hash }).compile({
      items: masked,
      layout: 'messages',
      policy: careful,
      budget: { windowTokens: 9000 },
    })
    expect(pack).toBeDefined()
    expect(codec.encode(exchange, pack === undefined ? {} : { pack })).toBe(
      body.replace('jane@example.org', '[EMAIL_1]'),
    )
  })

  it('goes upstream without a compile', () => {
    const changed: WireExchange = { ...exchange, conversation: { ...exchange.conversation, items: masked } }
    expect(codec.encode(changed, {})).toBe(body.replace('jane@example.org', '[EMAIL_1]'))
    expect(codec.encode(exchange, {})).toBe(body)
  })
})
