import { describe, expect, it } from 'vitest'
import { codecs } from '../codecs/index.ts'
import type { Codec } from '../codecs/index.ts'
import { codecCases, codecContract } from './index.ts'

const [openai] = codecs

function contract(codec: Codec): ReturnType<typeof codecContract> {
  return codecContract(codec, codecCases['openai-chat'], { runs: 20, seed: 5 })
}

describe('the contract of codecs', () => {
  it('is kept by one that comes with the product', async () => {
    expect(openai?.dialect).toBe('openai-chat')
    for (const { run } of openai === undefined ? [] : contract(openai)) await run()
  })

  it.each<[string, (codec: Codec) => Partial<Codec>]>([
    [
      'writes a body anew',
      (codec) => ({ encode: (exchange) => JSON.stringify(JSON.parse(exchange.wire.body)) + codec.dialect }),
    ],
    ['forgets what was inserted', () => ({ overlayOf: () => [] })],
    ['shows calls of ours', (codec) => ({ mergeReplies: (bodies) => codec.mergeReplies(bodies, new Set()) })],
  ])('is broken by one that %s, and tells the seed', async (_, worse) => {
    const broken = openai && { ...openai, ...worse(openai) }
    const ends = await Promise.allSettled(broken === undefined ? [] : contract(broken).map(({ run }) => run()))
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
    expect(failures.length).toBeGreaterThan(0)
    expect(failures[0]).toMatch(/seed \d+/)
  })
})
