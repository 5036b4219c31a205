import { Agent, request } from 'node:http'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { codecFor, sseParser } from '../../codecs/index.ts'
import type { Upstream } from '../../providers/index.ts'
import { fetching, otherStreams, passages, recordedStreams, twoChoices } from './recorded-streams.fixture.ts'
import type { Passage, RecordedStream } from './recorded-streams.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 8 })
afterEach(closeTestGateways)
afterAll(() => agent.destroy())

/** How a connection ends: in order, broken off, or not until somebody gives up. */
type Ending = 'ends' | 'breaks'

/** A provider in this process that sends what a header asks for: the first bytes of a recorded stream, in two reads. */
function cutting({ frames, dialect }: RecordedStream, fetchesFirst = false): Upstream {
  const whole = Buffer.from(frames.join(''))
  return {
    name: 'cutting',
    send: async ({ headers, body: asked = '' }) => {
      if (fetchesFirst && !String(asked).includes('Call rehydrate with'))
        return answer(streamOf(Buffer.from(fetching[dialect.name]!)))
      const [cut = '0', ending] = String(headers['x-cut']).split(' ')
      const sent = whole.subarray(0, Number(cut))
      async function* body(): AsyncGenerator<Uint8Array> {
        const middle = Math.floor((sent.length * 7) / 11)
        for (const piece of [sent.subarray(0, middle), sent.subarray(middle)]) if (piece.length > 0) yield piece
        if (ending === 'breaks') throw new Error('reset')
      }
      return answer(body())
    },
    close: async () => undefined,
  }
}

const answer = (body: AsyncIterable<Uint8Array>) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
})

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

interface Cut {
  readonly cut: number
  readonly ending: Ending
}

/** What a client gets of a stream that is cut there. */
function cutStream(
  gateway: TestGateway,
  { dialect }: RecordedStream,
  passage: Passage,
  { cut, ending }: Cut,
): Promise<string> {
  return new Promise((done, failed) => {
    const headers = { 'content-type': 'application/json', ...dialect.headers, 'x-cut': `${cut} ${ending}` }
    const asked = request(gateway.url + dialect.path, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => done(Buffer.concat(chunks).toString('utf8')))
      response.on('error', failed)
    })
    asked.on('error', failed)
    asked.end(JSON.stringify(dialect.body(0, { stream: true, ...passage.more })))
  })
}

/**
 * A carriage return ends a line, and a comment between events is over with its line. The line feed that a return announces is written without waiting for it.
 * What a client must get: the events that are whole, and where they make no answer an error event after them.
 */
function expected(
  { frames, wholeAfter }: RecordedStream,
  cut: number,
): { readonly text: string; readonly isWhole: boolean } {
  let text = ''
  let count = 0
  for (const frame of frames) {
    const missing = Buffer.byteLength(text + frame) - cut
    if (missing <= 0) text += frame
    else if (missing === 1 && frame.endsWith('\r\n\r\n')) text += frame
    else if (missing === 1 && frame.startsWith(':') && frame.endsWith('\n\n')) text += frame.slice(0, -1)
    else break
    count += 1
  }
  return { text, isWhole: count >= wholeAfter }
}

const errorEvent = /^(?:event: error\n)?data: (\{.*\})\n\n$/

/** What is wrong with what a client got of a stream; undefined where nothing is. */
function wrong(stream: RecordedStream, { cut, ending }: Cut, got: string): string | undefined {
  const { text, isWhole } = expected(stream, cut)
  const rest = got.startsWith(text) ? got.slice(text.length) : undefined
  if (rest === undefined) return `${ending} at ${cut}: ${JSON.stringify(got.slice(-200))}`
  if (isWhole) return rest === '' ? undefined : `${ending} at ${cut}, whole: ${rest}`
  const error = errorEvent.exec(rest)?.[1]
  if (error === undefined) return `${ending} at ${cut}: ${JSON.stringify(rest.slice(0, 200))}`
  const said = JSON.parse(error) as { error?: { message: string }; message?: string }
  return (said.error ?? said).message!.length > 10 ? undefined : error
}

/** Cuts at every byte: in both ways where that costs no compile each time, else in one way or the other. */
async function cutEverywhere(stream: RecordedStream, passage: Passage): Promise<string[]> {
  const gateway = await testGateway({ upstream: cutting(stream), config: passage.config })
  const size = Buffer.byteLength(stream.frames.join(''))
  const endings: readonly Ending[] = ['ends', 'breaks']
  const cuts = Array.from({ length: 2 * (size + 1) }, (_, index): Cut => {
    return { cut: index >> 1, ending: endings[index & 1]! }
  }).filter(({ cut, ending }) => passage.name === 'off' || ending === endings[cut & 1])
  const found: string[] = []
  const next = async (): Promise<void> => {
    for (let cut = cuts.pop(); cut; cut = cuts.pop()) {
      const problem = wrong(stream, cut, await cutStream(gateway, stream, passage, cut))
      if (problem !== undefined) found.push(problem)
    }
  }
  await Promise.all(Array.from({ length: 8 }, next))
  return found
}

describe.each([...recordedStreams, ...otherStreams])('a stream that is cut at any byte: $name', (stream) => {
  it.each(passages)(
    'gives its whole events as they came, then an error where the answer is not whole: $name',
    async (passage) => {
      expect(await cutEverywhere(stream, passage)).toEqual([])
    },
  )
})

it('several answers in one stream are whole when all of them are', async () => {
  expect(await cutEverywhere(twoChoices, passages[3]!)).toEqual([])
})

describe.each(recordedStreams)('a hidden round whose stream is cut: $name', (stream) => {
  it('ends the stream of the client in an error where the answer is not whole, and only there', async () => {
    const gateway = await testGateway({ upstream: cutting(stream, true) })
    const codec = codecFor(stream.dialect.name)
    const size = Buffer.byteLength(stream.frames.join(''))
    for (let cut = 0; cut <= size; cut += 7) {
      const ending = cut % 2 === 0 ? 'ends' : 'breaks'
      const got = await cutStream(gateway, stream, passages[0]!, { cut, ending })
      const reducer = codec.reducer()
      const { failure } = reducer.reply(sseParser().push(got).reduce(reducer.step, reducer.initial))
      const isWhole = expected(stream, cut).isWhole
      expect({ cut, ending, told: failure?.type }).toEqual({
        cut,
        ending,
        told: isWhole ? undefined : (expect.stringMatching(/^(server|api)_error$/) as string),
      })
      expect(got).not.toContain('rehydrate')
    }
  })
})
