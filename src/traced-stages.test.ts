import { expect, it } from 'vitest'
import { compile, careful, evidence, openSession, said } from './index.ts'
import { telemetry } from './tracing/telemetry.fixture.ts'

const secret = 'the words of the prompt'
const input = {
  items: [
    ...Array.from({ length: 30 }, (_, index) =>
      evidence(`Fact ${index}: ${secret} `.repeat(20), `f${index}.md`, { id: `fact-${index}` }),
    ),
    said('user', `What is ${secret}?`, { id: 'asked' }),
  ],
  budget: { windowTokens: 2_000 },
  frame: { request: `Say ${secret}.` },
}

const stages = ['filter', 'rank', 'allocate', 'compress', 'assemble', 'validate']

it('C-021: each stage of a compile is a span with its token counters, in the order of the stages', () => {
  const { tracing, named, within, spans } = telemetry()
  const { manifest, pack } = compile(input, { tracing })
  const root = named('prehend.compile')
  expect(within(root)).toEqual(stages.map((stage) => `prehend.stage ${stage}`))
  expect(root.attributes).toMatchObject({
    'prehend.outcome': 'ok',
    'prehend.tokens.in': manifest.originalTokens,
    'prehend.tokens.out': manifest.packTokens,
  })
  const counted = (stage: string) => named(`prehend.stage ${stage}`).attributes
  expect(counted('filter')['prehend.tokens.in']).toBe(manifest.originalTokens)
  expect(counted('filter')['prehend.items.in']).toBe(input.items.length)
  expect(counted('assemble')['prehend.tokens.out']).toBe(manifest.packTokens)
  expect(counted('assemble')['prehend.items.out']).toBe(pack?.entries.length)
  expect(counted('compress')['prehend.tokens.out']).toBeLessThan(manifest.originalTokens)
  expect(counted('compress')['prehend.tokens.out']).toBe(counted('assemble')['prehend.tokens.in'])
  for (const span of spans()) expect(JSON.stringify([span.name, span.attributes])).not.toContain('words')
})

it('a compile gives the same to the byte, whether somebody watches or not', () => {
  expect(JSON.stringify(compile(input, telemetry()))).toBe(JSON.stringify(compile(input)))
})

it('what a compile throws ends its span as a failure, and is thrown', () => {
  const { tracing, named } = telemetry()
  expect(() => compile({ ...input, budget: { windowTokens: -1 } }, { tracing })).toThrow(/windowTokens/)
  const { status, attributes } = named('prehend.compile')
  expect(status.code).toBe(2)
  expect(attributes['error.type']).toBe('invalid-input')
})

it('C-021: what a session packs is a span, and the stages of its compile lie in it', async () => {
  const { tracing, named, within } = telemetry()
  const session = openSession({ tracing })
  const packed = await session.pack({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
  expect(packed.receipt?.packId).toBe(named('prehend.pack').attributes['prehend.pack.id'])
  expect(within(named('prehend.pack'))).toEqual(['prehend.compile'])
  expect(within(named('prehend.compile'))).toEqual(stages.map((stage) => `prehend.stage ${stage}`))
})

it('P-085: the measures of a pack are attributes of its span, where a policy asks for them', () => {
  const { tracing, named } = telemetry()
  const { manifest } = compile({ ...input, policy: { ...careful, measureQuality: true } }, { tracing })
  const { attributes } = named('prehend.compile')
  const measures = Object.entries(manifest.quality?.measures ?? {})
  expect(measures.length).toBeGreaterThan(4)
  for (const [measure, value] of measures) expect(attributes[`prehend.quality.${measure}`]).toBe(value)
})
