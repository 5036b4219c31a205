import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { manualClock, simulatedProvider } from '../../providers/index.ts'
import type { ManualClock, SimulatedProvider } from '../../providers/index.ts'
import { claimValue, memoryStore, sqliteStore } from '../../stores/index.ts'
import type { Store, Unit } from '../../stores/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-one-session-'))
const stores: Store[] = []
let files = 0

afterEach(async () => {
  await closeTestGateways()
  await Promise.all(stores.splice(0).map((store) => store.close()))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface World {
  readonly clock: ManualClock
  readonly provider: SimulatedProvider
}

function world(): World {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  return { clock, provider: simulatedProvider({ script: () => 'done', clock }) }
}

/** Stores of several processes: one in memory is the same for all, one in a file is opened by each. */
const kinds: readonly { readonly kind: string; open(count: number): Store[] }[] = [
  {
    kind: 'in memory',
    open(count) {
      const store = memoryStore()
      return Array.from({ length: count }, () => store)
    },
  },
  {
    kind: 'in one SQLite file',
    open(count) {
      const path = join(folder, `${(files += 1)}.db`)
      return Array.from({ length: count }, () => sqliteStore({ path }))
    },
  },
]

async function gateways({ clock, provider }: World, opened: readonly Store[]): Promise<TestGateway[]> {
  stores.push(...opened)
  await claimValue(opened[0]!, 'handle-secret', 'the same for all')
  return Promise.all(opened.map((store) => testGateway({ store, clock, provider })))
}

interface Answered {
  readonly cache: string | null
  readonly skipped: string | null
  /** Tokens that the provider has read from its cache. */
  readonly read: number
}

async function send(gateway: TestGateway, dialect: DialectFixture, body: unknown): Promise<Answered> {
  const response = await post(gateway, dialect, body, { 'x-session-id': 's' })
  expect(response.status).toBe(200)
  await response.text()
  return {
    cache: response.headers.get('x-prehend-cache'),
    skipped: response.headers.get('x-prehend-skipped'),
    read: gateway.provider.requests.at(-1)?.usage?.cacheReadTokens ?? 0,
  }
}

/** Requests of one session, dealt out in turn. */
async function alternating(dialect: DialectFixture, opened: readonly Store[]): Promise<Answered[]> {
  const { clock, provider } = world()
  const all = await gateways({ clock, provider }, opened)
  const answers: Answered[] = []
  for (const [index, results] of [7, 8, 9, 10, 11, 12, 13].entries()) {
    answers.push(await send(all[index % all.length]!, dialect, dialect.body(results)))
    await clock.advance(index < 2 ? anHourMs : 5000)
  }
  return answers
}

describe.each([anthropicFixture, openaiFixture])('one session on several gateways: $name', (dialect) => {
  it.each(kinds)('a store $kind: the cache is read as with one gateway', async ({ open }) => {
    const alone = await alternating(dialect, open(1))
    const shared = await alternating(dialect, open(3))
    expect(alone.slice(3).every(({ read, cache }) => read > 10_000 && cache?.startsWith('provider; hold'))).toBe(true)
    expect(shared).toEqual(alone)
  })
})

it('two gateways on one store, many requests at once: every one is packed', async () => {
  const all = await gateways(world(), kinds[1]!.open(2))
  const asked = Array.from({ length: 24 }, (_, index) =>
    send(all[index % 2]!, anthropicFixture, anthropicFixture.body(7)),
  )
  const answers = await Promise.all(asked)
  expect(answers.map(({ skipped }) => skipped)).toEqual(answers.map(() => null))
}, 60_000)

/** A store whose next commit with originals is not answered before it is let go. */
function hesitant(): { readonly store: Store; hold(): Promise<void>; letGo(): Promise<unknown> } {
  const plain = memoryStore()
  let isHeld: (() => void) | undefined
  let release = (): void => undefined
  let late: Promise<unknown> = Promise.resolve()
  const commit = async (work: Unit): Promise<void> => {
    if (!isHeld || !work.writes.some(({ table }) => table === 'originals')) return plain.commit(work)
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    isHeld()
    isHeld = undefined
    late = promise.then(() => plain.commit(work))
    late.catch(() => undefined)
    await late
  }
  return {
    store: { ...plain, commit },
    hold: () => new Promise((done) => (isHeld = done)),
    letGo: () => {
      release()
      return late
    },
  }
}

describe.each([anthropicFixture, openaiFixture])('a commit that hangs: $name', (dialect) => {
  it.each([
    ['and never ends', false],
    ['and ends after another request has been answered', true],
  ])('%s does not take what others have decided', async (_, ends) => {
    const { clock, provider } = world()
    const { store, hold, letGo } = hesitant()
    const config = { limits: { stageMs: 200 } }
    const gateway = await testGateway({ store, clock, provider, config })
    await send(gateway, dialect, dialect.body(7))
    await clock.advance(anHourMs)
    const held = hold()
    const first = send(gateway, dialect, dialect.body(8))
    await held
    const second = await send(gateway, dialect, dialect.body(9))
    expect((await first).skipped).toBe('store')
    expect(second.skipped).toBeNull()
    if (ends) await expect(letGo()).rejects.toMatchObject({ code: 'conflict' })
    await clock.advance(5000)
    const hung = await send(gateway, dialect, dialect.body(10))
    expect(hung.cache).toMatch(/^provider; hold/)
    const [before] = provider.requests.slice(-2)
    expect(hung.read).toBeGreaterThan(0.95 * before!.usage!.inputTokens)
  })
})

/** A conversation that goes on from the first results with others of its own. */
function forked(dialect: DialectFixture, common: number, own: readonly number[]): unknown {
  const { messages, ...body } = dialect.body(Math.max(common, ...own))
  const perResult = 2
  const front = messages.length - perResult * Math.max(common, ...own)
  const kept = messages.slice(0, front + perResult * common)
  const added = own.flatMap((number) => messages.slice(front + perResult * (number - 1), front + perResult * number))
  return { ...body, messages: [...kept, ...added] }
}

/** In which OpenAI's cache is read. */
const blockTokens = 128

describe.each([anthropicFixture, openaiFixture])('conversations that part: $name', (dialect) => {
  /** Eight results in common, then one goes on with those from 20 on and the other with those from 30 on. */
  const steps = Array.from({ length: 6 }, (_, step) => step + 1)
  const bodyOfFork = (fork: number, step: number): unknown =>
    forked(
      dialect,
      8,
      Array.from({ length: step }, (_, index) => fork * 10 + index),
    )

  /** Reads of each fork, request by request. */
  async function reads(forks: readonly number[]): Promise<Record<number, number[]>> {
    const { clock, provider } = world()
    const [gateway] = await gateways({ clock, provider }, [memoryStore()])
    await send(gateway!, dialect, dialect.body(7))
    await clock.advance(anHourMs)
    await send(gateway!, dialect, dialect.body(8))
    const found: Record<number, number[]> = {}
    for (const step of steps) {
      for (const fork of forks) {
        await clock.advance(2000)
        const { read } = await send(gateway!, dialect, bodyOfFork(fork, step))
        found[fork] = [...(found[fork] ?? []), read]
      }
    }
    return found
  }

  it('read from the cache as if each were alone', async () => {
    const [left, right, both] = [await reads([2]), await reads([3]), await reads([2, 3])]
    expect(left[2]!.filter((read) => read > 10_000).length).toBeGreaterThanOrEqual(5)
    const alone: Readonly<Record<number, readonly number[]>> = { ...left, ...right }
    for (const [fork, found] of Object.entries(both)) {
      const more = found.map((read, step) => read - (alone[Number(fork)]?.[step] ?? 0))
      // Results of both may begin alike: so much more of a block is found, and never less.
      for (const tokens of more) expect([0, blockTokens]).toContain(tokens)
    }
  })

  it('share what was decided before they parted, also after a restart', async () => {
    const { clock, provider } = world()
    const [store] = kinds[1]!.open(1)
    const [gateway] = await gateways({ clock, provider }, [store!])
    await send(gateway!, dialect, dialect.body(7))
    await clock.advance(anHourMs)
    await send(gateway!, dialect, dialect.body(8))
    await send(gateway!, dialect, bodyOfFork(2, 1))
    await send(gateway!, dialect, bodyOfFork(3, 1))
    const lanes = await store!.read('sessions').lanes('default', 's')
    expect(lanes).toHaveLength(2)
    expect(lanes[0]).toMatch(/~1$/)
    const again = await testGateway({ store: store!, clock, provider })
    const [two, three] = [await send(again, dialect, bodyOfFork(2, 2)), await send(again, dialect, bodyOfFork(3, 2))]
    expect(await store!.read('sessions').lanes('default', 's')).toHaveLength(2)
    for (const { read, cache } of [two, three]) {
      expect(cache).toMatch(/^provider; hold/)
      expect(read).toBeGreaterThan(5000)
    }
  })
})
