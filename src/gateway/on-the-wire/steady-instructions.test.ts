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
  const [summary] = await gateway.store.read('receipts').list('default', { limit: 1 })
  const receipt = await gateway.store.read('receipts').get('default', summary!.requestId)
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

/** What agents write into their system prompts beside the time: where they work, how far they are, what has changed there. */
const places = ['/home/ann/app', '/home/ann/app/src', '/home/ann/app/src/core', '/home/ann/app']
const listings = [['M src/a.ts'], ['M src/a.ts', '?? src/b.ts'], ['?? src/b.ts'], []]
const variables: readonly (readonly [name: string, at: (turn: number) => string])[] = [
  ['a count', (turn) => `Requests left: ${200 - turn}`],
  ['a working directory', (turn) => `Working directory: ${places[turn - 1]}`],
  ['a listing', (turn) => ['Git status:', ...listings[turn - 1]!, 'Shell: zsh'].join('\n')],
  ['a branch', (turn) => `Branch: ${['main', 'release', 'release', 'next'][turn - 1]}`],
  ['a token', (turn) => `Nonce: k${turn}J9xQ${turn * 77}`],
]

describe.each([anthropicFixture, openaiFixture])('$name: values in the instructions', (dialect) => {
  const between = (variable: string): string => `You are an agent.\n${variable}\n${rules}`

  async function talk(write: (turn: number) => string): Promise<readonly Sent[]> {
    const gateway = await testGateway()
    const all: Sent[] = []
    for (const turn of [1, 2, 3, 4]) all.push(await sent(gateway, dialect, asked(dialect, turn, write(turn))))
    return all
  }

  it.each(variables)('G-015: %s that changes leaves the prefix as it is, and is said at the end', async (_, write) => {
    const all = await talk((turn) => between(write(turn)))
    expect(new Set(all.map(({ session }) => session)).size).toBe(1)
    const first = JSON.stringify(between(write(1))).slice(1, -1)
    for (const [index, { body, cacheRead }] of all.entries()) {
      expect(body).toContain(first)
      if (index > 0) expect(cacheRead).toBeGreaterThan(0.85 * all[index - 1]!.input)
      const lines = write(index + 1).split('\n')
      const isNew = index > 0 && ![write(1), write(index)].includes(write(index + 1))
      const end = body.slice(body.lastIndexOf(`Question ${index + 1}?`))
      for (const line of isNew ? lines.filter((each) => each !== 'Shell: zsh') : []) expect(end).toContain(line)
    }
  })

  it('where it works an agent is told at once, how far it is only now and then', async () => {
    const told = async (write: (turn: number) => string): Promise<readonly number[]> => {
      const gateway = await testGateway()
      const notes: number[] = []
      for (let turn = 1; turn <= 5; turn += 1) {
        const { body } = await sent(gateway, dialect, atWork(dialect, turn, between(write(turn))))
        notes.push(body.split('By now they say').length - 1)
      }
      return notes
    }
    expect(await told((turn) => `Working directory: /app/${turn < 3 ? 'src' : 'test'}`)).toEqual([0, 0, 1, 1, 1])
    expect(await told((turn) => `Steps left: ${100 - turn}`)).toEqual([0, 1, 1, 1, 1])
  })

  it("other words are the client's own, stand where it has put them, and are what stays from then on", async () => {
    const gateway = await testGateway()
    const header = { 'x-session-id': 'mine' }
    const mode = (turn: number): string => `You ${turn < 3 ? 'plan' : 'build'}.\nSteps left: ${9 - turn}`
    const bodies: string[] = []
    for (const turn of [1, 2, 3, 4]) {
      await (await post(gateway, dialect, asked(dialect, turn, between(mode(turn))), header)).text()
      bodies.push(gateway.provider.requests.at(-1)!.body)
    }
    const begins = bodies.map((body) => /You (plan|build)\.\\nSteps left: (\d)\\n/.exec(body)!.slice(1).join(' '))
    expect(begins.slice(0, 2)).toEqual(['plan 8', 'plan 8'])
    expect(begins.slice(2)).toEqual(['build 6', 'build 6'])
  })

  it('agents that differ in a number alone keep their own instructions', async () => {
    const gateway = await testGateway()
    const worker = (number: number): string => between(`You are worker ${number} of 8.`)
    for (const turn of [1, 2, 3]) {
      for (const number of [3, 4]) {
        const { body } = await sent(gateway, dialect, asked(dialect, turn, worker(number)))
        expect(body).toContain(`worker ${number} of 8`)
        expect(body).not.toContain(`worker ${7 - number} of 8`)
      }
    }
  })

  it('what has been seen to change is known after a restart', async () => {
    const before = await testGateway()
    const write = (turn: number): string => between(`Steps left: ${9 - turn}`)
    for (const turn of [1, 2]) await sent(before, dialect, asked(dialect, turn, write(turn)))
    await before.close()
    const { store, provider, clock } = before
    const after = await testGateway({ store, provider, clock })
    const { body, cacheRead, input } = await sent(after, dialect, asked(dialect, 3, write(3)))
    expect(body).toContain('Steps left: 8\\n')
    expect(body).toContain('By now they say:\\nSteps left: 6]')
    expect(cacheRead).toBeGreaterThan(0.8 * input)
  })
})

describe.each([anthropicFixture, openaiFixture])('$name: values in the definitions of tools', (dialect) => {
  type Schema = { properties: { path: { description?: string; maximum?: number } } }

  /** The tool of these bodies, said otherwise. */
  function withTool(body: Body, description: string, more: Partial<Schema['properties']['path']> = {}): Body {
    const { tools } = structuredClone(body) as unknown as { tools: Record<string, unknown>[] }
    const [tool] = tools
    const own = (tool!['function'] ?? tool) as { description: string; parameters: Schema; input_schema: Schema }
    own.description = description
    Object.assign((own.parameters ?? own.input_schema).properties.path, more)
    return { ...body, tools }
  }

  const about = (now: string): string => `Reads a file. ${rules}\nIt is ${now} in /srv/app.`

  it('G-015: a clock or a path in them leaves the prefix as it is, and is said at the end', async () => {
    const gateway = await testGateway()
    const all: Sent[] = []
    for (const turn of [1, 2, 3]) {
      const body = asked(dialect, turn, 'You are an agent.')
      all.push(
        await sent(gateway, dialect, withTool(body, about(at(turn)), { description: `Below /tmp/run-${turn}.` })),
      )
    }
    for (const [index, { body, cacheRead }] of all.entries()) {
      expect(body.split(`It is ${at(1)} in /srv/app.`).length - 1).toBe(1)
      expect(body.split('Below /tmp/run-1.').length - 1).toBe(1)
      if (index === 0) continue
      expect(cacheRead).toBeGreaterThan(0.85 * all[index - 1]!.input)
      const end = body.slice(body.lastIndexOf(`Question ${index + 1}?`))
      expect(end).toContain('The tools at the beginning are shown as they were first sent')
      expect(end).toContain(`read: It is ${at(index + 1)} in /srv/app.`)
      expect(end).toContain(`read: Below /tmp/run-${index + 1}.`)
    }
  })

  it("what a tool takes, and other words about it, are the client's own", async () => {
    const gateway = await testGateway()
    const ask = async (turn: number, description: string, maximum: number): Promise<string> => {
      const body = withTool(asked(dialect, turn, 'You are an agent.'), description, { maximum })
      return (await sent(gateway, dialect, body)).body
    }
    await ask(1, about('here'), 10)
    expect(await ask(2, about('here'), 20)).toContain('"maximum":20')
    expect(await ask(3, about('gone'), 20)).toContain('It is gone in /srv/app.')
  })
})
