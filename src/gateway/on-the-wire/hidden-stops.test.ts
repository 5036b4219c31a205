import { afterEach, describe, expect, it } from 'vitest'
import { fetchUpstream, simulatedProvider } from '../../providers/index.ts'
import type { AnswerPart } from '../../providers/index.ts'
import { sdkWays } from './four-dialects.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** How a dialect writes that an answer ended otherwise than it should have, in place of what the simulator writes. */
interface Stops {
  readonly written: RegExp
  readonly others: Readonly<Record<string, string>>
  /** The stop that a client reads where the answer is whole. */
  readonly whole: string
  readonly read: (stop: string) => string
}

const stops: Readonly<Record<string, Stops>> = {
  'openai-responses': {
    written: /"status":"completed","error":null,"incomplete_details":null/g,
    others: Object.fromEntries(
      ['max_output_tokens', 'content_filter', 'some_new_reason'].map((reason) => [
        reason,
        `"status":"incomplete","error":null,"incomplete_details":{"reason":"${reason}"}`,
      ]),
    ),
    whole: 'completed',
    read: () => 'incomplete',
  },
  'gemini': {
    written: /"finishReason":"STOP"/g,
    others: Object.fromEntries(
      ['MAX_TOKENS', 'SAFETY', 'RECITATION', 'MALFORMED_FUNCTION_CALL', 'OTHER', 'SOME_NEW_REASON'].map((reason) => [
        reason,
        `"finishReason":"${reason}"`,
      ]),
    ),
    whole: 'STOP',
    read: (stop) => stop,
  },
}

const says: AnswerPart = { type: 'text', text: 'I look. ' }
const fetches: AnswerPart = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } }
const reads: AnswerPart = { type: 'tool-call', name: 'read', arguments: { path: 'a.ts' } }

/** The simulator, whose first answer ends as somebody says. */
function endingProvider(parts: readonly AnswerPart[], rewrite: (text: string) => string) {
  const provider = simulatedProvider({ script: [{ parts }, 'found'] })
  let turn = 0
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await provider.fetch(url, init)
    turn += 1
    if (turn > 1) return response
    const body = rewrite(await response.text())
    return new Response(body, { status: response.status, headers: response.headers })
  }
  return { provider, upstream: fetchUpstream({ name: 'ending', origin: 'http://simulated', fetch }) }
}

const ways = sdkWays.filter(({ dialect }) => Object.hasOwn(stops, dialect.name))

describe.each(ways)('finding 8: a call of our own tool never reaches the client: $name', ({ dialect, stream }) => {
  const { written, others, whole, read } = stops[dialect.name]!
  const ask = async (parts: readonly AnswerPart[], stop?: string) => {
    const { provider, upstream } = endingProvider(parts, (text) => {
      if (stop === undefined) return text
      expect(text).toMatch(written)
      return text
        .replace(written, others[stop]!)
        .replaceAll(/event: response\.completed|"type":"response\.completed"/g, (found) =>
          found.replace('completed', 'incomplete'),
        )
    })
    const gateway = await testGateway({ upstream })
    const got = await dialect.ask(gateway, dialect.messages(1), stream)
    return { got, asked: provider.requests.length }
  }

  it('is answered where the answer is whole', async () => {
    const { got, asked } = await ask([says, fetches])
    expect(JSON.stringify(got)).not.toContain('rehydrate')
    expect([got.text, got.calls, got.stop, asked]).toEqual(['I look. found', [], whole, 2])
  })

  it.each(Object.keys(others))('is taken out of one that ends with %s, which stays', async (stop) => {
    const { got, asked } = await ask([says, fetches], stop)
    expect(JSON.stringify(got)).not.toContain('rehydrate')
    expect([got.text, got.calls, got.stop, asked]).toEqual(['I look. ', [], read(stop), 1])
  })

  it.each(Object.keys(others))('is taken out from between calls of the client that ends with %s', async (stop) => {
    const { got, asked } = await ask([reads, fetches, reads], stop)
    expect(JSON.stringify(got)).not.toContain('rehydrate')
    expect([got.calls, got.stop, asked]).toEqual([[{ path: 'a.ts' }, { path: 'a.ts' }], read(stop), 1])
  })
})
