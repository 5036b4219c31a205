import { afterEach, describe, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const rules = 'Answer in short sentences. '.repeat(300)
const words = (at: string, id: string): string => `You are an agent.\nNow: ${at}\nRequest ${id}\n${rules}`

/** A request of an agent that writes the time and an id into its instructions: so many questions of its user. */
function asked({ body, name, says }: DialectFixture, questions: number, instructions: string): Body {
  const made = body(1)
  const further = Array.from({ length: questions - 1 }, (_, index) => [
    { role: 'assistant', content: `Answer ${index + 1}.` },
    says(`Question ${index + 2}?`),
  ]).flat()
  if (name === 'anthropic-messages') return { ...made, system: instructions, messages: [...made.messages, ...further] }
  const [, ...rest] = made.messages
  return { ...made, messages: [{ role: 'system', content: instructions }, ...rest, ...further] }
}

/** The same, at work: so many results of its tools and no word of its user. */
function atWork({ body, name }: DialectFixture, results: number, instructions: string): Body {
  const made = body(results)
  if (name === 'anthropic-messages') return { ...made, system: instructions }
  const [, ...rest] = made.messages
  return { ...made, messages: [{ role: 'system', content: instructions }, ...rest] }
}

const at = (minute: number): string => `2026-11-21T00:0${minute}:00Z`
const id = (number: number): string => `0b9f2f1e-6a2c-4e0e-9a53-3f1d3f6f9a1${number}`

interface Sent {
  readonly body: string
  readonly cacheRead: number
  readonly input: number
  readonly session: string
}

async function sent(gateway: TestGateway, dialect: DialectFixture, body: Body): Promise<Sent> {
  await (await post(gateway, dialect, body)).text()
  await gateway.clock.advance(60_000)
  const [summary] = await gateway.store.receipts('default', { limit: 1 })
  const receipt = await gateway.store.receipt('default', summary!.requestId)
  const { cacheReadTokens = 0, inputTokens } = receipt!.result!.usage!
  return {
    body: gateway.provider.requests.at(-1)!.body,
    cacheRead: cacheReadTokens,
    input: inputTokens,
    session: summary!.session,
  }
}

async function conversation(dialect: DialectFixture, options?: TestGatewayOptions): Promise<readonly Sent[]> {
  const gateway = await testGateway(options)
  const all: Sent[] = []
  for (const minute of [1, 2, 3, 4])
    all.push(await sent(gateway, dialect, asked(dialect, minute, words(at(minute), id(minute)))))
  return all
}

describe.each([anthropicFixture, openaiFixture])('$name: a clock and an id in the instructions', (dialect) => {
  it('G-015: stay as they were first sent, so that the prefix is the same', async () => {
    const all = await conversation(dialect)
    expect(new Set(all.map(({ session }) => session)).size).toBe(1)
    for (const { body } of all) {
      expect(body).toContain(`Now: ${at(1)}\\nRequest ${id(1)}\\n`)
    }
    const [first, ...later] = all
    expect(first!.body).not.toContain('shown as they were first sent')
    for (const [index, { cacheRead }] of later.entries()) expect(cacheRead).toBeGreaterThan(0.85 * all[index]!.input)
  })

  it('and what they say by now stands at the end, once each', async () => {
    const all = await conversation(dialect)
    for (const [index, { body }] of all.entries()) {
      const said = body.split(`By now they say:\\nNow: ${at(index + 1)}\\nRequest ${id(index + 1)}]`).length - 1
      expect(said).toBe(index === 0 ? 0 : 1)
      expect(body.lastIndexOf(at(index + 1))).toBeGreaterThan(body.lastIndexOf(`Question ${index + 1}?`))
    }
  })

  it('an agent at work is told after twenty replies, and not after every result', async () => {
    const gateway = await testGateway()
    const told: number[] = []
    for (let results = 1; results <= 24; results += 1) {
      const now = words(`2026-11-21T01:${results + 10}:00Z`, id(1))
      const { body } = await sent(gateway, dialect, atWork(dialect, results, now))
      told.push(body.split('By now they say').length - 1)
      expect(body).toContain('Now: 2026-11-21T01:11:00Z')
    }
    expect([told[19], told[20], told[23]]).toEqual([0, 1, 1])
  })

  it('nothing is said twice of what has not changed again', async () => {
    const gateway = await testGateway()
    const bodies: string[] = []
    for (const [results, minute] of [
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 1],
    ] as const) {
      const { body } = await sent(gateway, dialect, asked(dialect, results, words(at(minute), id(1))))
      bodies.push(body)
    }
    const notes = bodies.map((body) => body.split('The instructions at the beginning').length - 1)
    expect(notes).toEqual([0, 1, 1, 2])
    expect(bodies[3]).toContain('hold again as they stand there')
  })

  it("a change of the words themselves is the client's, and so is that of a conversation that begins", async () => {
    const gateway = await testGateway()
    await sent(gateway, dialect, asked(dialect, 1, words(at(1), id(1))))
    const { body } = await sent(gateway, dialect, asked(dialect, 2, `${words(at(2), id(1))} And be kind.`))
    expect(body).toContain(at(2))
    expect(body).not.toContain(at(1))
    const anew = await sent(gateway, dialect, atWork(dialect, 0, words(at(3), id(1))))
    expect(anew.body).toContain(at(3))
    expect(anew.body).not.toContain(at(1))
  })

  it('survives a restart', async () => {
    const before = await testGateway()
    const first = await sent(before, dialect, asked(dialect, 1, words(at(1), id(1))))
    await before.close()
    const { store, provider, clock } = before
    const after = await testGateway({ store, provider, clock })
    const second = await sent(after, dialect, asked(dialect, 2, words(at(2), id(1))))
    expect(second.body).toContain(`Now: ${at(1)}`)
    expect(second.cacheRead).toBeGreaterThan(0.85 * first.input)
  })

  it('go on as they came where the configuration says so', async () => {
    const all = await conversation(dialect, { config: { promptCache: { steadyInstructions: false } } })
    expect(all[3]!.body).toContain(at(4))
    expect(all[3]!.body).not.toContain(at(1))
    expect(all[3]!.cacheRead).toBeLessThan(0.1 * all[2]!.input)
  })
})
