import { afterEach, describe, expect, it } from 'vitest'
import type { SimulatedRequest, ScriptEntry, Upstream } from '../../providers/index.ts'
import { layerContract } from '../../testing/index.ts'
import { filtered, rewritten } from '../index.ts'
import type { Layer, ReplyFilter } from '../index.ts'
import {
  anHourMs,
  closeTestGateways,
  handleIn,
  post,
  testGateway,
  unmarkedMessages,
} from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { askingDialects, waysToAsk } from './ask.fixture.ts'
import { unmaskFilter } from './unmask.fixture.ts'

/** Addresses never leave the machine: a provider sees words that stand for them, a client sees the addresses again. */
const maskLayer: Layer = {
  name: 'mask',
  failure: 'closed',
  handle: async (exchange, next) =>
    filtered(await next(rewritten(exchange, (item) => ({ ...item, text: masked(item.text) }))), unmask),
}

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const word = /\[mail:([\w-]+)\]/g
const beginning = /\[(?:m|ma|mai|mail|mail:[\w-]*)?$/

function masked(text: string): string {
  return text.replace(address, (found) => `[mail:${Buffer.from(found).toString('base64url')}]`)
}

function unmasked(text: string): string {
  return text.replace(word, (_, coded: string) => Buffer.from(coded, 'base64url').toString())
}

const unmask = unmaskFilter({ kinds: ['text', 'reasoning', 'arguments'], beginning, unmasked })

afterEach(closeTestGateways)

const jane = 'jane.doe@example.org'
const host = { layers: [maskLayer] }

/** A body in which a tool result and the user's last words name an address. */
function withAddress(fixture: DialectFixture, results: number): Body {
  const body = JSON.parse(JSON.stringify(fixture.body(results)).replaceAll('needle', `needle of ${jane}`)) as Body
  return { ...body, messages: [...body.messages, fixture.says(`Write to ${jane}.`)] }
}

/** What stands for the address in a request. */
const wordIn = ({ body }: SimulatedRequest): string => /\[mail:[\w-]+\]/.exec(body)?.[0] ?? 'no word'

function expectNothingSentOf(gateway: TestGateway): void {
  expect(gateway.provider.requests.length).toBeGreaterThan(0)
  for (const { body } of gateway.provider.requests) expect(body).not.toContain(jane)
}

describe.each(waysToAsk)('a layer that masks and unmasks: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('the provider sees no address, the client sees it again, in words and in calls', async () => {
    const script = (request: SimulatedRequest): ScriptEntry => ({
      text: `To ${wordIn(request)}, as you said.`,
      toolCalls: [{ name: 'read', arguments: { path: `mail "${wordIn(request)}"` } }],
    })
    const gateway = await testGateway({ script, host })
    const { text, calls } = await ask(gateway, withAddress(fixture, 1), stream)
    expect(text).toBe(`To ${jane}, as you said.`)
    expect(calls).toEqual([{ path: `mail "${jane}"` }])
    expectNothingSentOf(gateway)
  })

  it('what a hidden tool brings back is masked, and stays where it was in the next request', async () => {
    const script = (request: SimulatedRequest, turn: number): ScriptEntry => {
      if (turn !== 2) return `to ${wordIn(request)}`
      const call = {
        type: 'tool-call',
        name: 'rehydrate',
        arguments: { handle: handleIn(request.body, 1) ?? '' },
      } as const
      return { parts: [{ type: 'text', text: `Looking for ${wordIn(request)}. ` }, call] }
    }
    const gateway = await testGateway({ script, host })
    for (const results of [7, 8]) {
      await ask(gateway, withAddress(fixture, results), stream)
      await gateway.clock.advance(anHourMs)
    }
    const body = withAddress(fixture, 9)
    const { text, message } = await ask(gateway, body, stream)
    expect(text).toBe(`Looking for ${jane}. to ${jane}`)
    expect(gateway.provider.requests).toHaveLength(4)
    await ask(gateway, { ...body, messages: [...body.messages, message, fixture.says('And now?')] }, stream)
    const [asked, next] = gateway.provider.requests.slice(3)
    const before = unmarkedMessages(asked!.body)
    expect(unmarkedMessages(next!.body).slice(0, before.length)).toEqual(before)
    expectNothingSentOf(gateway)
  })

  it.each(['off', 'observe'] as const)('mode %s is no way past it', async (mode) => {
    const gateway = await testGateway({ script: (request) => `to ${wordIn(request)}`, host, config: { mode } })
    expect((await ask(gateway, withAddress(fixture, 1), stream)).text).toBe(`to ${jane}`)
    expectNothingSentOf(gateway)
  })
})

describe.each(askingDialects)('a layer that masks and unmasks: $fixture.name', (dialect) => {
  const { fixture, ask } = dialect

  it('wherever a stream is cut, the client gets the address', async () => {
    let pieces: readonly string[] = []
    const upstream: Upstream = {
      name: 'cutting',
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: (async function* () {
          yield Buffer.from(dialect.stream(pieces))
        })(),
      }),
      close: async () => undefined,
    }
    const gateway = await testGateway({ upstream, host })
    const said = `Mail [5] ${masked(jane)} and [mail: x] [`
    const cuts = Array.from(said, (_, at) => [said.slice(0, at), said.slice(at)])
    for (const cut of [Array.from(said), ...cuts]) {
      pieces = cut
      expect((await ask(gateway, fixture.body(0), true)).text).toBe(unmasked(said))
    }
  })

  it('a refusal that quotes the request is unmasked, too', async () => {
    const script = (request: SimulatedRequest): ScriptEntry => ({
      fault: { kind: 'error', status: 400, message: `cannot write to ${wordIn(request)}` },
    })
    const gateway = await testGateway({ script, host })
    const response = await post(gateway, fixture, withAddress(fixture, 1))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(`cannot write to ${jane}`)
  })

  it.each(['on', 'off', 'observe'] as const)('in mode %s, where it fails nothing is sent at all', async (mode) => {
    const broken: Layer = {
      ...maskLayer,
      handle: async () => {
        throw new Error(`cannot mask ${jane}`)
      },
    }
    const gateway = await testGateway({ host: { layers: [broken] }, config: { mode } })
    const response = await post(gateway, fixture, withAddress(fixture, 1))
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toContain('"mask\\" failed')
    expect(text).not.toContain(jane)
    expect((await fetch(`${gateway.url}/v1/models`, { headers: fixture.headers })).status).toBe(500)
    const [, anthropic] = askingDialects
    const counting = { ...anthropic!.fixture, path: '/v1/messages/count_tokens' }
    expect((await post(gateway, counting, withAddress(counting, 1))).status).toBe(500)
    expect(gateway.provider.requests).toEqual([])
  })

  it('where its filter fails, nothing of the reply is sent on', async () => {
    const filter: ReplyFilter = {
      ...unmask,
      open: () => ({
        piece: () => {
          throw new Error('cannot unmask')
        },
        end: () => '',
      }),
    }
    const layer: Layer = { ...maskLayer, handle: async (exchange, next) => filtered(await next(exchange), filter) }
    const gateway = await testGateway({ script: () => 'a secret', host: { layers: [layer] } })
    for (const stream of [false, true]) {
      const response = await post(gateway, fixture, fixture.body(0, { stream }))
      const text = await response.text()
      expect(text).toContain('error')
      expect(text).not.toContain('secret')
    }
  })
})

describe('a layer that masks and unmasks', () => {
  const anthropic = askingDialects[1]!.fixture

  it('of the next request, what was read of the last one with its words masked is not read again', async () => {
    const known: (string | undefined)[] = []
    const probe: Layer = {
      name: 'probe',
      failure: 'open',
      handle: (exchange, next) => {
        known.push(exchange.received.lastLayered?.wire.body)
        return next(exchange)
      },
    }
    const gateway = await testGateway({ host: { layers: [maskLayer, probe] } })
    const body = withAddress(anthropic, 2)
    await (await post(gateway, anthropic, body)).arrayBuffer()
    const said = { role: 'assistant', content: 'Done.' }
    const messages = [...body.messages, said, anthropic.says('Thanks.')]
    await (await post(gateway, anthropic, { ...body, messages })).arrayBuffer()
    expect(known).toEqual([undefined, masked(JSON.stringify(body))])
  })

  it('counts of tokens pass it', async () => {
    const gateway = await testGateway({ host })
    const response = await post(gateway, { ...anthropic, path: '/v1/messages/count_tokens' }, withAddress(anthropic, 1))
    expect(response.status).toBe(200)
    expectNothingSentOf(gateway)
  })

  it('thinking that its provider has signed is left out where it would be masked, and the session goes on', async () => {
    const gateway = await testGateway({ host })
    const thinking = { type: 'thinking', thinking: `I know ${jane}.`, signature: 'c2lnbmVk' }
    const body = anthropic.body(0, { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4096 })
    const said = { role: 'assistant', content: [thinking, { type: 'text', text: 'Hello.' }] }
    for (const mode of ['on', 'off', 'observe']) {
      const messages = [...body.messages, said, anthropic.says('Go on.')]
      const response = await post(gateway, anthropic, { ...body, messages, prehend: { mode } })
      expect(response.status).toBe(200)
      expect(response.headers.get('x-prehend-lost')).toBe('reasoning 1')
      expect(JSON.parse(gateway.provider.requests.at(-1)!.body).messages[1].content).toEqual([
        { type: 'text', text: 'Hello.' },
      ])
    }
    expectNothingSentOf(gateway)
  })
})

describe('a layer that masks and unmasks keeps the contract', () => {
  const tried = layerContract({
    open: () => maskLayer,
    says: [`I am ${jane}.`, 'Who am I?'],
    answers: (body) => `You are ${/\[mail:[\w-]+\]/.exec(body)?.[0]}, [mail] or [`,
  })
  it.each(tried)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
