import { afterEach, describe, expect, it } from 'vitest'
import { parseFold, selectLines } from '../../ladders/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { SimulatedRequest, ScriptEntry, Upstream } from '../../providers/index.ts'
import {
  anHourMs,
  closeTestGateways,
  longResult,
  needleOf,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'
import { askingAnthropic, askingOpenai } from '../seams/ask.fixture.ts'
import type { AskingDialect } from '../seams/ask.fixture.ts'
import type { Body, DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Dialect {
  readonly fixture: DialectFixture
  readonly ask: AskingDialect['ask']
  /** A stream with one call, whose arguments come in these fragments. */
  stream(fragments: readonly string[]): string
}

const openai: Dialect = {
  ...askingOpenai,
  stream(fragments) {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const piece = (text: string): string => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    const begin = { index: 0, id: 'call_x', type: 'function', function: { name: 'write', arguments: '' } }
    return [
      chunk({ role: 'assistant', content: null, tool_calls: [begin] }),
      ...fragments.map(piece),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ].join('')
  },
}

const anthropic: Dialect = {
  ...askingAnthropic,
  stream(fragments) {
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage }
    const block = { type: 'tool_use', id: 'toolu_x', name: 'write', input: {} }
    const events: readonly { readonly type: string }[] = [
      { type: 'message_start', message } as { type: string },
      { type: 'content_block_start', index: 0, content_block: block } as { type: string },
      ...fragments.map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 0 } as { type: string },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage } as { type: string },
      { type: 'message_stop' },
    ]
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  },
}

/** All lines of all texts of a request. */
function linesOf(body: string): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(...value.split('\n'))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect((JSON.parse(body) as Body).messages)
  return texts
}

interface Copied {
  readonly marker: string
  readonly text: string
}

/** A result that is shown trimmed rather than as one line, since some of its lines are worth keeping. */
const mixed = Array.from({ length: 200 }, (_, line) =>
  line % 60 === 30 ? `def quarterly_revenue_${line}(account_${line}):` : `    "all of this" \\ is said, ${line} times`,
).join('\n')

function withMixed(body: Body): Body {
  return JSON.parse(JSON.stringify(body).replace(JSON.stringify(longResult(1)), () => JSON.stringify(mixed))) as Body
}

/** Begins a session in which result 1 is shown trimmed. */
async function trimmedSession(gateway: TestGateway, dialect: DialectFixture): Promise<Body> {
  for (const results of [9, 10]) {
    await (await post(gateway, dialect, withMixed(dialect.body(results)))).arrayBuffer()
    await gateway.clock.advance(anHourMs)
  }
  return withMixed(dialect.body(11))
}

/** The first fold marker of result 1, or the first brief one, and the lines that it stands for. */
function foldIn(body: string, brief = false): Copied {
  const marker = linesOf(body).find((line) => parseFold(line) && line.startsWith('[lines') !== brief) ?? 'no marker'
  const fold = parseFold(marker)
  return { marker, text: selectLines(mixed, `${fold?.first}-${fold?.last}`) ?? 'no lines' }
}

const cases = [openai, anthropic].flatMap((dialect) =>
  [false, true].map((stream) => ({
    name: `${dialect.fixture.name}, ${stream ? 'streamed' : 'JSON'}`,
    dialect,
    stream,
  })),
)

/** In the third request the model makes calls with these arguments. */
function calling(args: (body: string) => readonly JsonValue[]) {
  return ({ body }: SimulatedRequest, turn: number): ScriptEntry =>
    turn < 2 ? 'done' : { toolCalls: args(body).map((value) => ({ name: 'write', arguments: value })) }
}

describe.each(cases)('lean-ctx#805, rtk#4202: markers copied into calls: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('a fold is written out as its lines', async () => {
    const gateway = await testGateway({
      config: { policy: 'careful' },
      script: calling((body) => [
        { path: 'f', content: `first\n${foldIn(body).marker}\nlast "line"` },
        { path: 'g', content: 'x[5] = [57, 90]' },
        { path: 'h', edits: [{ new: foldIn(body, true).marker }] },
      ]),
    })
    const body = await trimmedSession(gateway, fixture)
    const { calls } = await ask(gateway, body, stream)
    const sent = gateway.provider.requests.at(-1)!.body
    const [first, second] = [foldIn(sent).text, foldIn(sent, true).text]
    expect([first, second].map((text) => text.split('\n').length)).toEqual([30, 59])
    expect(calls).toEqual([
      { path: 'f', content: `first\n${first}\nlast "line"` },
      { path: 'g', content: 'x[5] = [57, 90]' },
      { path: 'h', edits: [{ new: second }] },
    ])
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toContain('prehend_copied_markers_total{result="written"} 2')
    const { requestId } = gateway.log.findLast(({ event }) => event === 'request')!.fields
    const receipt = await gateway.store.read('receipts').get('default', String(requestId))
    expect(receipt?.result).toMatchObject({ markersWritten: 2 })
  })

  it('markers with a handle that the session does not know stay as they are where the model insists', async () => {
    const content =
      'a\n[lines 5-9 folded: rehydrate("000000000000", "5-9")]\n[5-9 folded: 000000000000]\n[+3 lines as in step 1]'
    const gateway = await testGateway({ script: calling(() => [{ content }]) })
    await shortenedSession(gateway, fixture)
    expect((await ask(gateway, fixture.body(9), stream)).calls).toEqual([{ content }])
  })

  it('a result shown as one line is written out whole', async () => {
    const oneLine = (body: string): string => linesOf(body).find((line) => line.startsWith('[Tool: read - ok')) ?? ''
    const gateway = await testGateway({ script: calling((body) => [{ content: oneLine(body) }]) })
    await shortenedSession(gateway, fixture)
    expect((await ask(gateway, fixture.body(9), stream)).calls).toEqual([{ content: longResult(1) }])
  })

  it('a result shown as one line with its errors is written out once', async () => {
    const errors = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `Error: no such file as f${number}`)
    const failed = [longResult(1), ...errors].join('\n')
    const withFailure = (body: Body): Body =>
      JSON.parse(JSON.stringify(body).replace(JSON.stringify(longResult(1)), () => JSON.stringify(failed))) as Body
    const shown = (body: string): string[] => {
      const lines = linesOf(body)
      const at = lines.findIndex((line) => line.startsWith('[Tool: read - '))
      return lines.slice(at, at + 3)
    }
    const gateway = await testGateway({
      config: { policy: 'masked' },
      script: calling((body) => [
        { content: `a\n${shown(body).join('\n')}\nz` },
        { patch: `+${shown(body).join('\n+')}` },
        { content: shown(body).slice(0, 2).join('\n') },
      ]),
    })
    for (const results of [7, 8]) {
      await (await post(gateway, fixture, withFailure(fixture.body(results)))).arrayBuffer()
      await gateway.clock.advance(anHourMs)
    }
    const { calls } = await ask(gateway, withFailure(fixture.body(9)), stream)
    expect(shown(gateway.provider.requests.at(-1)!.body).slice(1)).toEqual([errors[0], errors[7]])
    expect(calls).toEqual([
      { content: `a\n${failed}\nz` },
      { patch: `+${failed.replaceAll('\n', '\n+')}` },
      { content: failed },
    ])
  })

  it('a reference is written out as the lines that it refers to; there is none where handles lead nowhere', async () => {
    for (const rehydrate of [true, false]) {
      let marker = 'none'
      const gateway = await testGateway({
        config: { rehydrate },
        script: ({ body }) => {
          marker =
            linesOf(body).find((line) =>
              /^\[\+\d+ lines as in step 1, 1 before this: rehydrate\("\w+", "[\d-]+"\)\]$/.test(line),
            ) ?? 'none'
          return { toolCalls: [{ name: 'write', arguments: { content: `x\n${marker}\ny` } }] }
        },
      })
      const plain = fixture.body(2)
      const again = `${longResult(2)}\n${longResult(1)}\nend`
      const body = JSON.parse(
        JSON.stringify(plain).replace(JSON.stringify(longResult(2)), JSON.stringify(again)),
      ) as Body
      const [call] = (await ask(gateway, body, stream)).calls as { content: string }[]
      const sent = gateway.provider.requests[0]!.body
      expect(sent.includes('"rehydrate"')).toBe(rehydrate)
      if (!rehydrate) {
        expect(marker).toBe('none')
        continue
      }
      expect(call!.content).toMatch(/^x\nsrc[^]*\ny$/)
      expect(longResult(1)).toContain(call!.content.slice(2, -2))
      expect(call!.content).toContain(needleOf(1))
    }
  })
})

describe.each([openai, anthropic])('streams: $fixture.name', (dialect) => {
  it('wherever a marker is cut, the client gets its lines', async () => {
    let cutAt = 0
    let shown = ''
    const json = (): string =>
      JSON.stringify({
        path: 'f',
        content: `a\n${foldIn(shown).marker}\nb "quoted" [57\n${foldIn(shown, true).marker}`,
      })
    const upstream: Upstream = {
      name: 'cutting',
      send: async ({ body }) => {
        shown = String(body)
        const text = shown.includes('"stream":true')
          ? dialect.stream(cutAt < 0 ? Array.from(json()) : [json().slice(0, cutAt), json().slice(cutAt)])
          : '{}'
        const type = text === '{}' ? 'application/json' : 'text/event-stream'
        return {
          status: 200,
          headers: { 'content-type': type },
          body: (async function* () {
            yield Buffer.from(text)
          })(),
        }
      },
      close: async () => undefined,
    }
    const gateway = await testGateway({ upstream, config: { policy: 'careful' } })
    const body = await trimmedSession(gateway, dialect.fixture)
    for (cutAt = -1; cutAt < 0 || cutAt < json().length; cutAt += 1) {
      const [call] = (await dialect.ask(gateway, body, true)).calls
      expect(call).toEqual({
        path: 'f',
        content: `a\n${foldIn(shown).text}\nb "quoted" [57\n${foldIn(shown, true).text}`,
      })
    }
  }, 60_000)
})
