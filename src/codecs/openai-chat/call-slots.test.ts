import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/index.ts'
import { openaiChat } from './index.ts'

type Piece = { readonly index?: number; readonly id?: string; readonly name?: string; readonly args?: string | object }

const element = ({ index, id, name, args }: Piece): JsonObject =>
  JSON.parse(JSON.stringify({ index, id, type: 'function', function: { name, arguments: args } }))

function streamOf(pieces: readonly Piece[]): readonly string[] {
  const chunks = pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [element(piece)] } }] }))
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
  return [...[...chunks, last].map((chunk) => JSON.stringify(chunk)), '[DONE]']
}

/** The calls of a stream, as crossed clients, the reply of the whole stream and clients of this dialect beside our own tool have them. */
function callsOf(pieces: readonly Piece[]): { said: unknown; reply: unknown; spliced: unknown } {
  const { replyReader } = openaiChat
  const reducer = openaiChat.reducer()
  const splicer = openaiChat.splicer()
  let [reading, reduced, splicing] = [replyReader.initial, reducer.initial, splicer.begin(new Set(['ours']))]
  const said = new Map<number, string>()
  const forwarded: string[] = []
  for (const data of streamOf(pieces)) {
    const step = replyReader.step(reading, { data })
    reading = step.state
    for (const event of step.events) {
      if (event.kind === 'call') said.set(event.call, `${event.name} `)
      if (event.kind === 'arguments') said.set(event.call, `${said.get(event.call)}${event.text}`)
    }
    reduced = reducer.step(reduced, { data })
    const spliced = splicer.step(splicing, { data })
    splicing = spliced.state
    forwarded.push(...spliced.forward.map((event) => event.data))
  }
  let client = reducer.initial
  for (const data of forwarded) client = reducer.step(client, { data })
  const named = (calls: readonly { name: string; arguments: string }[]): unknown =>
    calls.map(({ name, arguments: text }) => `${name} ${text}`)
  return {
    said: [...said.values()],
    reply: named(reducer.reply(reduced).toolCalls),
    spliced: named(reducer.reply(client).toolCalls),
  }
}

const both = ['tide {"dock":"A"}', 'tide {"dock":"B"}']
const [a, b] = ['{"dock":"A"}', '{"dock":"B"}']

describe('pieces of calls', () => {
  it.each<[string, readonly Piece[]]>([
    [
      'an index each, in pieces',
      [
        { index: 0, id: 'a', name: 'tide', args: '' },
        { index: 1, id: 'b', name: 'tide', args: '' },
        { index: 0, args: '{"dock"' },
        { index: 1, args: b },
        { index: 0, args: ':"A"}' },
      ],
    ],
    [
      'no index',
      [
        { id: 'a', name: 'tide', args: a },
        { id: 'b', name: 'tide', args: b },
      ],
    ],
    [
      'no index, the second in pieces',
      [{ id: 'a', name: 'tide', args: a }, { id: 'b', name: 'tide' }, { args: '{"dock":' }, { args: '"B"}' }],
    ],
    [
      'one index for all',
      [
        { index: 0, id: 'a', name: 'tide', args: a },
        { index: 0, id: 'b', name: 'tide', args: b },
      ],
    ],
    [
      'one index for all, in pieces',
      [
        { index: 0, id: 'a', name: 'tide' },
        { index: 0, args: a },
        { index: 0, id: 'b', name: 'tide' },
        { index: 0, args: b },
      ],
    ],
    [
      'one index and no ids',
      [
        { index: 0, name: 'tide', args: a },
        { index: 0, name: 'tide', args: b },
      ],
    ],
    [
      'neither',
      [
        { name: 'tide', args: a },
        { name: 'tide', args: b },
      ],
    ],
    [
      'ids in every piece',
      [
        { index: 0, id: 'a', name: 'tide', args: '{"dock":' },
        { index: 0, id: 'a', args: '"A"}' },
        { index: 1, id: 'b', name: 'tide', args: b },
      ],
    ],
    [
      'ids in every piece, without an index',
      [
        { id: 'a', name: 'tide', args: '' },
        { id: 'b', name: 'tide', args: '' },
        { id: 'a', args: a },
        { id: 'b', args: b },
      ],
    ],
    [
      'arguments as objects',
      [
        { index: 0, id: 'a', name: 'tide', args: { dock: 'A' } },
        { index: 1, id: 'b', name: 'tide', args: { dock: 'B' } },
      ],
    ],
  ])('two calls: %s', (_, pieces) => {
    expect(callsOf(pieces)).toEqual({ said: both, reply: both, spliced: both })
  })

  it('a call of the client is its own behind one of ours, whatever the index', () => {
    const pieces = [
      { index: 0, id: 'x', name: 'ours', args: '{}' },
      { index: 0, id: 'a', name: 'tide', args: a },
    ]
    expect(callsOf(pieces).spliced).toEqual(both.slice(0, 1))
    expect(callsOf(pieces.map(({ id, name, args }) => ({ id, name, args }))).spliced).toEqual(both.slice(0, 1))
  })
})
