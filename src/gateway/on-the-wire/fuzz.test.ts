import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway({ script: () => 'done' })
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

describe.each([openaiFixture, anthropicFixture])('whatever a client sends: $name', (dialect) => {
  it('is answered, by the provider or with an error that names the field; nothing breaks inside', async () => {
    const body = dialect.body(2, { prehend: { mode: 'on' }, stream: false })
    const short = JSON.parse(JSON.stringify(body).replaceAll(/src\/module[^"]*/g, 'some result')) as unknown
    await fc.assert(
      fc.asyncProperty(mutated(short), async (asked) => {
        const response = await post(gateway, dialect, JSON.stringify(asked) ?? '')
        const text = await response.text()
        expect({ text, broken: response.status >= 500 }).toMatchObject({ broken: false })
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
        expect(isStream ? text.length : typeof JSON.parse(text)).toBeTruthy()
      }),
      { numRuns: 250 },
    )
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([])
    expect(gateway.log.filter(({ event }) => event === 'stage-skipped').map(({ fields }) => fields)).toEqual([])
  })

  it('text that is no JSON is refused with the place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        const response = await post(gateway, dialect, `{"model": "m"${text}`)
        await response.text()
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.status).toBeLessThan(500)
      }),
      { numRuns: 100 },
    )
  })
})
