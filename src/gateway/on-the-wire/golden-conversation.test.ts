import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { manualClock, simulatedProvider } from '../../providers/index.ts'
import type { ManualClock, SimulatedRequest, Script } from '../../providers/index.ts'
import { openSession } from '../../sessions/index.ts'
import { claimValue, memoryStore } from '../../stores/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  handleIn,
  longResult,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** `npm test -- src/gateway/golden-conversation -u` writes what is expected. */
const folder = resolve(import.meta.dirname, 'fixtures/conversations')

interface Sent {
  /** Tool results in the conversation. */
  readonly results: number
  /** Between the request before and this one. */
  readonly pauseMs: number
  /** What the user says after them. */
  readonly says?: string
  /** The client has cleared this result, which it had sent before. */
  readonly cleared?: number
}

const second = 1000

/** Warm requests, two pauses longer than a cache lives, words of the user, and a change of what was sent before. */
const session: readonly Sent[] = [
  { results: 0, pauseMs: 0 },
  { results: 1, pauseMs: second },
  { results: 3, pauseMs: second },
  { results: 5, pauseMs: second },
  { results: 8, pauseMs: anHourMs },
  { results: 9, pauseMs: second },
  { results: 9, pauseMs: second, says: 'What have you found so far?' },
  { results: 10, pauseMs: second },
  { results: 11, pauseMs: anHourMs },
  { results: 12, pauseMs: second },
  { results: 13, pauseMs: second, cleared: 4 },
  { results: 14, pauseMs: second, cleared: 4, says: 'Go on.' },
]

/** Every fourth result is that of a few steps before again, and the fifth tells of a failure. */
function resultText(number: number): string {
  const text = longResult(number % 4 === 0 ? number - 3 : number, 60)
  return number === 5 ? `${text}\nTypeError: value5 is not a function\n${text}` : text
}

function bodyOf(dialect: DialectFixture, { results, says, cleared }: Sent): string {
  const texts = new Map(
    Array.from({ length: results }, (_, index) => [
      longResult(index + 1),
      index + 1 === cleared ? '[cleared]' : resultText(index + 1),
    ]),
  )
  const body = dialect.body(results)
  const messages = says === undefined ? body.messages : [...body.messages, dialect.says(says)]
  return JSON.stringify({ ...body, messages }, (_key, value: unknown) =>
    typeof value === 'string' ? (texts.get(value) ?? value) : value,
  )
}

/** Once a result is shown shorter the model asks for it, so that a hidden round is among the requests. */
function askOnce(): Script {
  let asked = false
  return ({ body }) => {
    const handle = handleIn(body, 2)
    if (asked || handle === undefined) return 'done'
    asked = true
    return { parts: [{ type: 'tool-call', name: 'rehydrate', arguments: { handle } }] }
  }
}

/** Handles hang on a secret that an installation draws once; this one has drawn it. */
async function gatewayWithSecret(): Promise<TestGateway> {
  const store = memoryStore()
  await claimValue(store, 'handle-secret', 'golden')
  return testGateway({ store, script: askOnce(), config: { limits: { stageMs: 60_000 } } })
}

/** For people; the digest of the same request is exact. */
function readable(body: string): string {
  return `${JSON.stringify(JSON.parse(body), null, 2).replaceAll(String.raw`\n`, '\n    | ')}\n`
}

/** Sends the session and gives a line for each body that went to the provider. */
async function played(
  dialect: DialectFixture,
  clock: ManualClock,
  sent: readonly SimulatedRequest[],
  send: (body: string) => Promise<void>,
): Promise<string> {
  const lines: string[] = []
  let seen = 0
  for (const step of session) {
    await clock.advance(step.pauseMs)
    await send(bodyOf(dialect, step))
    for (const { body } of sent.slice(seen))
      lines.push(`${JSON.stringify(step)}: ${body.length} chars, ${hash('sha256', body)}\n`)
    seen = sent.length
  }
  return lines.join('')
}

it.each([openaiFixture, anthropicFixture])('sends the same bytes as ever: $name', async (dialect) => {
  const gateway = await gatewayWithSecret()
  const { clock, provider } = gateway
  const lines = await played(dialect, clock, provider.requests, async (body) => {
    const response = await post(gateway, dialect, body)
    await response.text()
    expect(response.status).toBe(200)
  })
  // Its client answers for the model, so the reply with the hidden round never comes back.
  const told = gateway.log.filter(({ level, event }) => level !== 'info' && event !== 'hidden-lost')
  expect(told).toEqual([])
  await expect(lines).toMatchFileSnapshot(resolve(folder, `${dialect.name}.digests.txt`))
  const last = gateway.provider.requests.at(-1)?.body ?? ''
  await expect(readable(last)).toMatchFileSnapshot(resolve(folder, `${dialect.name}.last-body.txt`))
})

it.each([openaiFixture, anthropicFixture])('in process, the same bytes as the gateway: $name', async (dialect) => {
  const store = memoryStore()
  await claimValue(store, 'handle-secret', 'golden')
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const provider = simulatedProvider({ script: askOnce(), clock })
  const inProcess = openSession({ policy: 'thrifty', store, clock: () => clock.now() })
  const headers = { 'content-type': 'application/json', ...dialect.headers }
  const replies: object[] = []
  const lines = await played(dialect, clock, provider.requests, async (body) => {
    const ask = async (request: object): Promise<object> => {
      const init = { method: 'POST', headers, body: JSON.stringify(request) }
      const response = await provider.fetch(`http://simulated${dialect.path}`, init)
      return JSON.parse(await response.text()) as object
    }
    replies.push(await inProcess.send(JSON.parse(body) as object, ask))
  })
  expect(lines).toBe(readFileSync(resolve(folder, `${dialect.name}.digests.txt`), 'utf8'))
  expect(JSON.stringify(replies)).not.toContain('rehydrate')
})
