import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import type { SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { memoryStore, setValue, sqliteStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { layerContract } from '../../testing/index.ts'
import { filtered, inSession, rewrittenBy } from '../index.ts'
import type { Exchange, HiddenTool, Layer, PrepareRewrite, Rewrite } from '../index.ts'
import { closeTestGateways, testGateway, unmarkedMessages } from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { waysToAsk } from './ask.fixture.ts'
import { unmaskFilter } from './unmask.fixture.ts'

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const token = /\[mail-\d+\]/g
const beginning = /\[(?:m|ma|mai|mail|mail-\d*)?$/

/** The addresses of a session, and the words that stand for them: they are in the store before anybody sees one. */
interface AddressBook {
  readonly prepare: PrepareRewrite
  unmasked(text: string): string
}

async function openBook(store: Store, key: string): Promise<AddressBook> {
  const stored = await store.read('values').get(key)
  const tokens = new Map<string, string>(stored === undefined ? [] : (JSON.parse(stored) as [string, string][]))
  const rewrite: Rewrite = (item) => ({
    ...item,
    text: item.text.replace(address, (found) => tokens.get(found) ?? '[?]'),
  })
  let lastWrite: Promise<void> = Promise.resolve()

  const learn = async (items: readonly Item[]): Promise<void> => {
    const found = items.flatMap(({ text }) => text.match(address) ?? [])
    const all = new Map(tokens)
    for (const one of found) if (!all.has(one)) all.set(one, `[mail-${all.size + 1}]`)
    if (all.size === tokens.size) return
    await setValue(store, key, JSON.stringify([...all]))
    for (const [one, word] of all) tokens.set(one, word)
  }
  return {
    async prepare(items) {
      const written = lastWrite.then(() => learn(items))
      lastWrite = written.catch(() => undefined)
      await written
      return rewrite
    },
    unmasked(text) {
      const addresses = new Map(Array.from(tokens, ([one, word]) => [word, one]))
      return text.replace(token, (word) => addresses.get(word) ?? word)
    },
  }
}

/** Masks addresses by words of their session, which a restart does not change. */
function bookLayer(store: Store): Layer {
  const books = new Map<string, Promise<AddressBook>>()
  const known = new WeakMap<object, AddressBook>()
  const bookOf = async ({ session, tenant }: Exchange): Promise<AddressBook> => {
    const key = JSON.stringify(['addresses', tenant, session?.scope.session])
    const book = books.get(key) ?? openBook(store, key)
    books.set(key, book)
    return book
  }
  return {
    name: 'book',
    failure: 'closed',
    async handle(exchange, next) {
      const found = await inSession(exchange)
      const book = await bookOf(found)
      known.set(found.trace, book)
      const asked = await rewrittenBy(found, book.prepare)
      const { unmasked } = book
      return filtered(await next(asked), unmaskFilter({ kinds: ['text', 'arguments'], beginning, unmasked }))
    },
    restore: (text, { trace }) => known.get(trace)?.unmasked(text) ?? text,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-mask-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(closeTestGateways)

const jane = 'jane.doe@example.org'
const john = 'john@example.org'
const addresses = [jane, john]

function saying(fixture: DialectFixture, words: string, results = 1): Body {
  const body = fixture.body(results)
  return { ...body, messages: [...body.messages, fixture.says(words)] }
}

function expectNothingSentOf({ provider }: TestGateway): void {
  expect(provider.requests.length).toBeGreaterThan(0)
  for (const { body } of provider.requests) for (const one of addresses) expect(body).not.toContain(one)
}

/** Tells who answers for whom. */
function directoryTool(asked: string[] = []): HiddenTool {
  return {
    definition: {
      name: 'directory',
      description: 'Who answers for whom.',
      schema: { type: 'object', properties: { of: { type: 'string' } } },
    },
    answer: async ({ arguments: given }) => {
      asked.push(given)
      return { text: `${john} answers for ${jane}.`, found: true }
    },
  }
}

/** Whether a commit writes an address book. */
function isMap({ writes }: Parameters<Store['commit']>[0]): boolean {
  return writes.some((write) => write.table === 'values' && write.key.includes('addresses'))
}

/** The words that stand for addresses in a request, in order. */
const tokensIn = ({ body }: SimulatedRequest): readonly string[] => body.match(token) ?? []

describe.each(waysToAsk)('a layer with a map for each session: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect
  const echo = (request: SimulatedRequest): ScriptEntry => `To ${tokensIn(request).at(-1)}.`

  it('gives an address the same word in all requests, and the client the address', async () => {
    const store = memoryStore()
    const gateway = await testGateway({ script: echo, store, host: { layers: [bookLayer(store)] } })
    const body = saying(fixture, `Write to ${jane}.`)
    const first = await ask(gateway, body, stream)
    expect(first.text).toBe(`To ${jane}.`)
    const messages = [...body.messages, first.message, fixture.says(`And to ${john}?`)]
    const second = await ask(gateway, { ...body, messages }, stream)
    expect(second.text).toBe(`To ${john}.`)
    const [one, two] = gateway.provider.requests
    expect([tokensIn(one!), tokensIn(two!)]).toEqual([['[mail-1]'], ['[mail-1]', '[mail-1]', '[mail-2]']])
    const sent = unmarkedMessages(one!.body)
    expect(unmarkedMessages(two!.body).slice(0, sent.length)).toEqual(sent)
    expectNothingSentOf(gateway)
  })

  it('and after a restart', async () => {
    const path = join(folder, `${fixture.name}-${stream}.db`)
    const body = saying(fixture, `Write to ${jane}.`)
    const before = sqliteStore({ path })
    const gateway = await testGateway({ script: echo, store: before, host: { layers: [bookLayer(before)] } })
    const first = await ask(gateway, body, stream)
    await gateway.close()
    await before.close()
    const after = sqliteStore({ path })
    const again = await testGateway({ script: echo, store: after, host: { layers: [bookLayer(after)] } })
    // Another way of the same session: the other address comes first, and is still the second that was met.
    expect((await ask(again, saying(fixture, `Write to ${john}, then to ${jane}.`), stream)).text).toBe(`To ${jane}.`)
    const messages = [...body.messages, first.message, fixture.says(`And to ${john}?`)]
    expect((await ask(again, { ...body, messages }, stream)).text).toBe(`To ${john}.`)
    const [sent] = gateway.provider.requests
    const [other, next] = again.provider.requests
    expect(tokensIn(other!)).toEqual(['[mail-2]', '[mail-1]'])
    expect(tokensIn(next!)).toEqual(['[mail-1]', '[mail-1]', '[mail-2]'])
    const known = unmarkedMessages(sent!.body)
    expect(unmarkedMessages(next!.body).slice(0, known.length)).toEqual(known)
    expectNothingSentOf(again)
    await again.close()
    await after.close()
  })

  it('tools that answer here get the address, and what they bring is masked before it is sent', async () => {
    const asked: string[] = []
    const directory = directoryTool(asked)
    const script = (request: SimulatedRequest, turn: number): ScriptEntry =>
      turn === 0
        ? { parts: [{ type: 'tool-call', name: 'directory', arguments: { of: tokensIn(request).at(-1) ?? '' } }] }
        : 'Ask [mail-2].'
    const store = memoryStore()
    const host = { layers: [bookLayer(store)], hiddenTools: [directory] }
    const gateway = await testGateway({ script, store, host })
    expect((await ask(gateway, saying(fixture, `Who answers for ${jane}?`), stream)).text).toBe(`Ask ${john}.`)
    expect(asked.map((given) => JSON.parse(given) as unknown)).toEqual([{ of: jane }])
    expect(gateway.provider.requests[1]!.body).toContain('[mail-2] answers for [mail-1].')
    expectNothingSentOf(gateway)
  })

  it('sends nothing of which the map is not stored', async () => {
    const order: string[] = []
    const memory = memoryStore()
    const slow: Store = {
      ...memory,
      async commit(unit) {
        if (!isMap(unit)) return memory.commit(unit)
        await new Promise((resolve) => setTimeout(resolve, 20))
        await memory.commit(unit)
        order.push('stored')
      },
    }
    const script = (): ScriptEntry => {
      order.push('sent')
      return 'Yes.'
    }
    const gateway = await testGateway({ script, store: slow, host: { layers: [bookLayer(slow)] } })
    await ask(gateway, saying(fixture, `Write to ${jane}.`), stream)
    expect(order).toEqual(['stored', 'sent'])
    const full: Store = {
      ...memory,
      commit: (unit) => (isMap(unit) ? Promise.reject(new Error('disk full')) : memory.commit(unit)),
    }
    const broken = await testGateway({ script, store: full, host: { layers: [bookLayer(full)] } })
    await expect(ask(broken, saying(fixture, `Write to ${john}.`), stream)).rejects.toThrow('"book')
    expect(broken.provider.requests).toEqual([])
  })

  it('a result of a tool whose addresses could not be stored ends the request', async () => {
    const memory = memoryStore()
    let writes = 0
    const failing: Store = {
      ...memory,
      commit: (unit) =>
        isMap(unit) && (writes += 1) > 1 ? Promise.reject(new Error('disk full')) : memory.commit(unit),
    }
    const script: ScriptEntry[] = [
      { parts: [{ type: 'tool-call', name: 'directory', arguments: { of: 'x' } }] },
      'Well.',
    ]
    const host = { layers: [bookLayer(failing)], hiddenTools: [directoryTool()] }
    const gateway = await testGateway({ script, store: failing, host })
    await expect(ask(gateway, saying(fixture, `Who answers for ${jane}?`), stream)).rejects.toThrow(
      'inside the gateway',
    )
    expect(gateway.provider.requests).toHaveLength(1)
    expectNothingSentOf(gateway)
  })
})

describe('a layer with a map for each session keeps the contract', () => {
  const tried = layerContract({
    open: () => bookLayer(memoryStore()),
    says: [`I am ${jane}.`, 'Who am I?'],
    answers: (body) => `You are ${body.match(token)?.[0]}, [mail] or [`,
  })
  it.each(tried)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
