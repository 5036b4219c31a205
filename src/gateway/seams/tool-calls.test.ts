import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import type { JsonObject, ToolCall } from '../../core/index.ts'
import type { AnswerPart, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { shippedCatalogue, tokenizerOf } from '../../tokens/index.ts'
import { filtered, rewritten } from '../index.ts'
import type { HiddenTool, Layer, ToolContext } from '../index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  post,
  shortenedSession,
  testGateway,
  unmarkedMessages,
} from '../on-the-wire/test-gateway.fixture.ts'
import { waysToAsk } from './ask.fixture.ts'

afterEach(closeTestGateways)

/** A tool of a host with this answer. */
function toolOf(name: string, answer: HiddenTool['answer'], more: Partial<HiddenTool> = {}): HiddenTool {
  const schema = { type: 'object', properties: { of: { type: 'string' } } }
  return { definition: { name, description: 'Does something.', schema }, ...more, answer }
}

const calls = (name: string, args: JsonObject = {}): AnswerPart => ({ type: 'tool-call', name, arguments: args })

/** What the newest message of a request holds. */
const lastOf = ({ body }: SimulatedRequest): string => JSON.stringify(unmarkedMessages(body).at(-1))

describe.each(waysToAsk)('a call of a hidden tool: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('that hangs ends in an error that names the tool, and its signal is aborted', async () => {
    const seen: ToolContext[] = []
    const slow = toolOf('slow_search', (_, context) => {
      seen.push(context)
      return new Promise(() => undefined)
    })
    const script: ScriptEntry[] = [{ parts: [calls('slow_search')] }, 'Without it, then.']
    const config = { limits: { toolMs: 60 } }
    const gateway = await testGateway({ config, script, host: { hiddenTools: [slow] } })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('Without it, then.')
    expect(lastOf(gateway.provider.requests[1]!)).toContain('The tool slow_search did not answer within 60 ms.')
    expect(seen[0]!.signal.aborted).toBe(true)
    expect(seen[0]!.deadlineMs).toBe(gateway.clock.now() + 60)
    expect(gateway.log.find(({ event }) => event === 'stage-skipped')?.fields).toMatchObject({ stage: 'slow_search' })
  })

  it('that throws ends in an error that names the tool; words for people go on, others do not', async () => {
    const secret = toolOf('broken', () => {
      throw new Error('password is hunter2')
    })
    const remedy = 'Ask for one at a time.'
    const spoken = toolOf('picky', () =>
      Promise.reject(new PrehendError('invalid-input', `Two at once. ${remedy}`, { field: 'of', remedy })),
    )
    const script: ScriptEntry[] = [{ parts: [calls('broken'), calls('picky')] }, 'Done.']
    const gateway = await testGateway({ script, host: { hiddenTools: [secret, spoken] } })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('Done.')
    const asked = gateway.provider.requests[1]!.body
    expect(asked).toContain('The tool broken failed. Go on without it, or try once more.')
    expect(asked).toContain('The tool picky failed. Two at once. Ask for one at a time. Go on')
    expect(asked).not.toContain('hunter2')
    expect(asked.includes('"is_error":true')).toBe(fixture.name === 'anthropic-messages')
  })

  it('runs beside the others of its reply', async () => {
    const met = Promise.withResolvers<void>()
    let here = 0
    const meets = toolOf('meet', async ({ id }) => {
      here += 1
      if (here === 3) met.resolve()
      await met.promise
      return { text: `met as ${id}`, found: true }
    })
    const script: ScriptEntry[] = [{ parts: [calls('meet'), calls('meet'), calls('meet')] }, 'All met.']
    const config = { limits: { toolMs: 2000 } }
    const gateway = await testGateway({ config, script, host: { hiddenTools: [meets] } })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('All met.')
    const answers = gateway.provider.requests[1]!.body.match(/met as [\w-]+/g)
    expect(new Set(answers).size).toBe(3)
  })

  it('gets what a layer has masked in its own words; nobody else sees anything new', async () => {
    const seen: string[] = []
    const mail = toolOf('send_mail', async (call) => {
      seen.push(call.arguments)
      return { text: `Sent: ${call.arguments}`, found: true }
    })
    const blind = toolOf(
      'count_letters',
      async (call) => {
        seen.push(call.arguments)
        return { text: 'counted', found: true }
      },
      { takesMasked: true },
    )
    const args = { of: 'to [WHO_1], as [WHO_2]', n: 12345678901234567890n.toString() }
    const script: ScriptEntry[] = [
      { parts: [calls('send_mail', args), calls('count_letters', args)] },
      { text: 'Wrote to [WHO_1].', toolCalls: [{ name: 'read', arguments: { path: '[WHO_2]' } }] },
    ]
    const gateway = await testGateway({ script, host: { layers: [masks], hiddenTools: [mail, blind] } })
    const body = fixture.body(0)
    const asking = { ...body, messages: [...body.messages, fixture.says('Write to Jane "J" Doe as Bob.')] }
    const { text, calls: asked } = await ask(gateway, asking, stream)
    expect([text, asked]).toEqual(['Wrote to Jane "J" Doe.', [{ path: 'Bob' }]])
    expect(JSON.parse(seen[0]!)).toEqual({ ...args, of: 'to Jane "J" Doe, as Bob' })
    expect(JSON.parse(seen[1]!)).toEqual(args)
    for (const request of gateway.provider.requests) expect(request.body).not.toMatch(/Jane|Bob/)
    expect(gateway.provider.requests[1]!.body).toContain('Sent: ')
  })
})

const names = new Map([
  ['[WHO_1]', 'Jane "J" Doe'],
  ['[WHO_2]', 'Bob'],
])

const masked = (text: string): string =>
  [...names].reduce(
    (now, [word, name]) => now.replaceAll(name, word).replaceAll(JSON.stringify(name).slice(1, -1), word),
    text,
  )

const unmasked = (text: string, form = (name: string) => name): string =>
  [...names].reduce((now, [word, name]) => now.replaceAll(word, form(name)), text)

/** Names never leave the machine. */
const masks: Layer = {
  name: 'masks',
  failure: 'closed',
  restore: (text) => unmasked(text),
  handle: async (exchange, next) =>
    filtered(await next(rewritten(exchange, (item) => ({ ...item, text: masked(item.text) }))), {
      name: 'unmasks',
      failure: 'closed',
      kinds: ['text', 'arguments'],
      open: () => {
        let held = ''
        return {
          piece: (_, text) => ((held += text), ''),
          end: ({ form }) => {
            const said = unmasked(held, form === 'json' ? (name) => JSON.stringify(name).slice(1, -1) : undefined)
            held = ''
            return said
          },
        }
      },
    }),
}

describe('a call of a hidden tool', () => {
  it('that gives no answer, or a picture that does not fit, is told so', async () => {
    const empty = toolOf('empty', async () => undefined as never)
    const bytes = Buffer.alloc(2_000_000, 65).toString('base64')
    const url = `data:application/pdf;base64,${bytes}`
    const shows = toolOf('show', async () => ({ text: 'Here.', found: true, media: { type: 'document', url } }))
    const script: ScriptEntry[] = [{ parts: [calls('empty'), calls('show')] }, 'Done.']
    const models = { 'claude-sonnet-4-6': { windowTokens: 20_000 } }
    const gateway = await testGateway({ config: { models }, script, host: { hiddenTools: [empty, shows] } })
    expect(await (await post(gateway, anthropicFixture, anthropicFixture.body(0))).text()).toContain('Done.')
    const asked = gateway.provider.requests[1]!.body
    expect(asked).toContain('The tool empty failed.')
    expect(asked).toMatch(
      /Here\.\\n\[the document of show's answer takes some \d+ tokens, and the window has room for \d+\]/,
    )
    expect(asked.length).toBeLessThan(10_000)
  })

  it('is told who asks, in which session, under which policy, and how much there is room for', async () => {
    const seen: [ToolCall, ToolContext][] = []
    const looks = toolOf('look', async (call, context) => {
      seen.push([call, context])
      return { text: 'seen', found: true }
    })
    const tokens = [
      { token: 'token-of-acme', tenant: 'acme', name: 'acme-ci' },
      { token: 'token-of-house', tenant: 'house' },
    ]
    const script = (_: SimulatedRequest, turn: number): ScriptEntry =>
      turn % 2 === 0 ? { parts: [calls('look'), calls('look')] } : 'Done.'
    const config = { tokens, tenants: { acme: { limits: { toolMs: 5000 } } } }
    const gateway = await testGateway({ config, script, host: { hiddenTools: [looks] } })
    for (const token of ['token-of-acme', 'token-of-house']) {
      const headers = { 'x-api-key': token, 'x-session-id': 'mine', 'user-agent': 'claude-cli/2.0' }
      const response = await post(gateway, anthropicFixture, anthropicFixture.body(1), headers)
      expect(await response.text()).toContain('Done.')
    }
    const [one, , other] = seen.map(([, context]) => context)
    expect(one!.principal).toMatchObject({
      tenant: 'acme',
      keyId: 'acme-ci',
      agent: 'claude-cli',
      scopes: ['inference', 'read'],
    })
    expect(one!.principal.limits['toolMs']).toBe(5000)
    expect(other!.principal).toMatchObject({ tenant: 'house', scopes: ['inference', 'read'] })
    expect(JSON.stringify(seen)).not.toContain('token-of-')
    expect(one!.scope).toMatchObject({ tenant: 'acme', session: 'mine' })
    expect(other!.scope).toMatchObject({ tenant: 'house', session: 'mine' })
    expect(one!.policy.id).toBe('thrifty')
    expect(() => Object.assign(one!.policy, { id: 'other' })).toThrow(TypeError)
    const { windowTokens } = shippedCatalogue.info('claude-sonnet-4-6')
    expect(one!.roomTokens).toBeGreaterThan(0.4 * windowTokens)
    expect(one!.roomTokens).toBeLessThan(0.5 * windowTokens)
    expect(one!.requestId).toMatch(/./)
  })

  it.each([false, true])(
    'is broken off when the client goes, and nothing is asked further: streamed %s',
    async (stream) => {
      const started = Promise.withResolvers<AbortSignal>()
      const waits = toolOf('wait', (_, { signal }) => {
        started.resolve(signal)
        return new Promise(() => undefined)
      })
      const script: ScriptEntry[] = [{ parts: [calls('wait')] }, 'Never.']
      const gateway = await testGateway({ script, host: { hiddenTools: [waits] } })
      const leaving = new AbortController()
      const body = JSON.stringify(anthropicFixture.body(1, { stream }))
      const headers = { 'content-type': 'application/json', ...anthropicFixture.headers }
      const asked = fetch(gateway.url + anthropicFixture.path, {
        method: 'POST',
        headers,
        body,
        signal: leaving.signal,
      })
      const ended = asked.then((response) => response.text()).catch(() => 'left')
      const signal = await started.promise
      leaving.abort()
      if (!signal.aborted) await once(signal, 'abort')
      expect(await ended).toBe('left')
      expect(gateway.provider.requests).toHaveLength(1)
      await gateway.close(1000)
      expect(gateway.provider.requests).toHaveLength(1)
    },
  )

  const row = (line: number): string => `row ${line} says ${line * 7919}`
  const flood = Array.from({ length: 250_000 }, (_, line) => row(line)).join('\n')
  const dumps = toolOf('dump', async () => ({ text: flood, found: true }))

  it('of five megabytes is shown by its ends, and a handle brings the rest back', async () => {
    expect(flood.length).toBeGreaterThan(5_000_000)
    const script = ({ body }: SimulatedRequest, turn: number): ScriptEntry => {
      if (turn === 2) return { parts: [calls('dump')] }
      const handle =
        /lines \d+-\d+ folded: rehydrate\(\\+"(\w+)/.exec(body.slice(body.indexOf('row 0 says')))?.[1] ?? ''
      return turn === 3 ? { parts: [calls('rehydrate', { handle, lines: '123457-123458' })] } : 'Done.'
    }
    const gateway = await testGateway({ script, host: { hiddenTools: [dumps] } })
    await shortenedSession(gateway, anthropicFixture)
    const response = await post(gateway, anthropicFixture, anthropicFixture.body(9))
    expect(await response.text()).toContain('Done.')
    const [, , asked, shown, fetched] = gateway.provider.requests
    expect(asked!.body).toContain('"rehydrate"')
    const added = shown!.body.slice(shown!.body.indexOf('row 0 says'))
    expect(added).toContain(row(249_999))
    expect(added).not.toContain(row(123_456))
    expect(tokenizerOf(shippedCatalogue.info('claude-sonnet-4-6')).count(added)).toBeLessThan(200_000 / 3)
    expect(lastOf(fetched!)).toContain(`${row(123_456)}\\n${row(123_457)}`)
  })

  it('of five megabytes is cut with a clear line where nothing could bring the rest back', async () => {
    const script: ScriptEntry[] = [{ parts: [calls('dump')] }, 'Done.']
    const config = { limits: { rehydrateChars: 2000 } }
    const gateway = await testGateway({ config, script, host: { hiddenTools: [dumps] } })
    const body = anthropicFixture.body(1, { prehend: { rehydrate: false } })
    expect(await (await post(gateway, anthropicFixture, body)).text()).toContain('Done.')
    const result = lastOf(gateway.provider.requests[1]!)
    const said = /"content":"(row 0 .+)\\n\[the first (\d+) of (\d+) characters of dump's answer; ask dump for less\]"/
    const [, shown = '', first, of] = said.exec(result) ?? []
    expect([shown.replaceAll('\\n', '\n'), Number(of)]).toEqual([flood.slice(0, Number(first)), flood.length])
    expect(Number(first)).toBeGreaterThan(1000)
    expect(Number(first)).toBeLessThanOrEqual(2000)
  })
})
