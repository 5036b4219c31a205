import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

let gateways: Record<'on' | 'observe' | 'off', TestGateway>
beforeAll(async () => {
  const open = (mode: 'on' | 'observe' | 'off') => testGateway({ script: () => 'done', config: { mode } })
  gateways = { on: await open('on'), observe: await open('observe'), off: await open('off') }
})
afterAll(closeTestGateways)

/** A value with some of its parts replaced, removed or repeated. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(null, 0, -1, 1e308, true, '', 'x', '\uD800', [], {}, [null], { type: 'text' })
  if (Array.isArray(value)) {
    return fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(
          ...value.map((item) =>
            fc.oneof({ weight: 9, arbitrary: fc.constant(item) }, { weight: 1, arbitrary: mutated(item) }),
          ),
        ),
      },
      { weight: 1, arbitrary: fc.shuffledSubarray(value) },
      { weight: 1, arbitrary: odd },
    )
  }
  if (typeof value !== 'object' || value === null)
    return fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 2, arbitrary: odd })
  const members = Object.entries(value)
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          ...members.map(([, member]) =>
            fc.oneof(
              { weight: 8, arbitrary: fc.constant(member) },
              { weight: 3, arbitrary: mutated(member) },
              { weight: 1, arbitrary: fc.constant(undefined) },
            ),
          ),
        )
        .map((values) => Object.fromEntries(members.map(([name], index) => [name, values[index]]))),
    },
    { weight: 1, arbitrary: odd },
  )
}

/** Whether the codec makes sense of a body. */
function isRead(dialect: DialectFixture, body: string): boolean {
  try {
    codecFor(dialect.name).decode({ body })
    return true
  } catch {
    return false
  }
}

describe.each([openaiFixture, anthropicFixture])('whatever a client sends: $name', (dialect) => {
  it.each(['on', 'observe', 'off'] as const)('goes on, unchanged where nobody can read it: mode %s', async (mode) => {
    const body = dialect.body(2, { stream: false })
    const short = JSON.parse(JSON.stringify(body).replaceAll(/src\/module[^"]*/g, 'some result')) as unknown
    await fc.assert(
      fc.asyncProperty(mutated(short), async (asked) => {
        const sent = JSON.stringify(asked) ?? ''
        const response = await post(gateways[mode], dialect, sent)
        const text = await response.text()
        expect({ text, broken: response.status >= 500 }).toMatchObject({ broken: false })
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
        expect(isStream ? text.length : typeof JSON.parse(text)).toBeTruthy()
        const understood = isRead(dialect, sent)
        expect(response.headers.get('x-prehend-skipped')).toBe(understood ? null : 'decode')
        if (!understood || mode !== 'on') expect(gateways[mode].provider.requests.at(-1)!.body).toBe(sent)
      }),
      { numRuns: 120 },
    )
    const { log } = gateways[mode]
    expect(log.filter(({ level }) => level === 'error')).toEqual([])
    const skipped = log.filter(({ event, fields }) => event === 'stage-skipped' && fields['stage'] !== 'decode')
    expect(skipped.map(({ fields }) => fields)).toEqual([])
  })

  it('what it says to us is heeded or refused by name, and never goes on', async () => {
    const plain = dialect.body(0)
    await fc.assert(
      fc.asyncProperty(mutated({ mode: 'off', rehydrate: true }), async (prehend) => {
        const response = await post(gateways.on, dialect, { ...plain, prehend })
        const text = await response.text()
        if (response.status !== 200) expect(text).toMatch(/prehend[.:]/)
        else expect(JSON.parse(gateways.on.provider.requests.at(-1)!.body)).not.toHaveProperty('prehend')
      }),
      { numRuns: 60 },
    )
  })

  it('text that is no JSON goes on as it came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        const sent = Buffer.from(`{"model": "m"${text}`).toString()
        const response = await post(gateways.on, dialect, sent)
        await response.text()
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.status).toBeLessThan(500)
        expect(gateways.on.provider.requests.at(-1)!.body).toBe(sent)
      }),
      { numRuns: 100 },
    )
  })
})
