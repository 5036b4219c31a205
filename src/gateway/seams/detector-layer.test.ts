import { afterEach, describe, expect, it } from 'vitest'
import { quarantined } from '../../defense/index.ts'
import { rewritten } from '../index.ts'
import type { Layer } from '../index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** A classifier somewhere else, asked once for each text. */
function detectorLayer(classify: (text: string) => Promise<number>): Layer {
  const scores = new Map<string, Promise<number>>()
  const scoreOf = (text: string): Promise<number> => {
    const score = scores.get(text) ?? classify(text)
    scores.set(text, score)
    return score
  }
  return {
    name: 'detector',
    failure: 'closed',
    limitMs: 1000,
    handle: async (exchange, next) => {
      const results = exchange.received.exchange.conversation.items.filter(({ kind }) => kind === 'tool-result')
      const scored = await Promise.all(results.map(async ({ text }) => [text, await scoreOf(text)] as const))
      const suspected = new Set(scored.flatMap(([text, score]) => (score >= 0.5 ? [text] : [])))
      return next(
        rewritten(exchange, (item) => (suspected.has(item.text) ? { ...item, text: quarantined(item.text) } : item)),
      )
    },
  }
}

describe.each([openaiFixture, anthropicFixture])('a detector that must be waited for is a layer: $name', (dialect) => {
  it('X-26, G-009: what it suspects is quoted, and stays so', async () => {
    const asked: string[] = []
    const classify = async (text: string): Promise<number> => {
      asked.push(text)
      return text.includes('module-2/') ? 0.9 : 0.1
    }
    const gateway = await testGateway({ script: () => 'done', host: { layers: [detectorLayer(classify)] } })
    for (const results of [2, 3]) await (await post(gateway, dialect, dialect.body(results))).text()
    expect(asked).toHaveLength(3)
    for (const { body } of gateway.provider.requests) {
      expect(body.match(/UNTRUSTED_INPUT: quoted data/g)).toHaveLength(1)
      expect(body).toContain('> src/module-2/')
      expect(body).not.toContain('> src/module-1/')
    }
  })
})
