import { readFileSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { closeStrictGateways, strictGateway } from './strict-server.fixture.ts'
import type { Answer, SentRequest, StrictGateway } from './strict-server.fixture.ts'

afterEach(closeStrictGateways)

const folder = new URL('../../../../shared/cases/', import.meta.url)

interface Ask {
  readonly path: string
  readonly body?: object
  readonly raw?: string
}

interface Case {
  readonly ask: Ask
  readonly config?: object
  readonly reply?: Answer
  readonly first?: Answer
  readonly busy?: string
  readonly words?: readonly string[]
}

// What JSON holds is looked at by what the test expects of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** What came of a case. */
interface Outcome {
  readonly status: number
  readonly text: string
  readonly sent: readonly SentRequest[]
  /** The body that was sent last, and the reply, as JSON. */
  readonly last: Json
  readonly reply: Json
}

/** Of a file that a person gives to `prehend replay`, which asks no provider. */
const isRequest = (name: string): boolean => !name.startsWith('replay-') && name !== 'README.md'
const names = readdirSync(folder).filter(isRequest)

function caseOf(name: string, file = 'case.json'): Case {
  return JSON.parse(readFileSync(new URL(`${name}/${file}`, folder), 'utf8')) as Case
}

async function ask(gateway: StrictGateway, { path, body, raw }: Ask): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const from = gateway.sent.length
  const response = await fetch(gateway.url + path, { method: 'POST', headers, body: raw ?? JSON.stringify(body) })
  const text = await response.text()
  const sent = gateway.sent.slice(from)
  return { status: response.status, text, sent, last: parsed(sent.at(-1)?.body), reply: parsed(text) }
}

function parsed(text = ''): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Handles of the request that was just sent stand where a reply of a case says HANDLE. */
function filled(answer: Answer, body: string): Answer {
  const [, handle = 'HANDLE'] = /rehydrate\(\\+"([\w-]+)/.exec(body) ?? []
  return JSON.parse(JSON.stringify(answer).replaceAll('HANDLE', handle)) as Answer
}

async function outcome(one: Case, more: object = {}): Promise<Outcome> {
  const gateway = await strictGateway({
    config: { ...one.config, ...more },
    answer: ({ body }, at) => {
      if (one.busy !== undefined && parsed(body)?.model === one.busy)
        return { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } } }
      const own = at === 0 ? (one.first ?? one.reply) : one.first ? one.reply : undefined
      return own && filled(own, body)
    },
  })
  return ask(gateway, one.ask)
}

/** Cases that want more than to be answered, and what. */
const wanted: Readonly<Record<string, (outcome: Outcome) => void>> = {
  'answer-without-a-limit-for-claude': ({ last }) => expect(last.max_tokens).toBe(64_000),
  'anyof-at-the-top-of-a-schema': ({ last }) =>
    expect(Object.keys(last.tools[0].input_schema.properties)).toEqual(['ship', 'dock']),
  'arguments-as-an-object-in-replies': ({ reply }) => expect(reply.content.at(-1).input).toEqual({ dock: 'A' }),
  'client-call-behind-a-hidden-one': ({ text }) => expect(text).toMatch(/"name":"read"|Done/),
  'codex-namespace-tools': ({ last }) => {
    expect(last.tools.map(({ name }: { name: string }) => name)).toContain('mcp__docs__search')
    expect(JSON.stringify(last.messages)).toContain('"name":"mcp__docs__search"')
  },
  'compaction-block-crosses': ({ last }) => expect(JSON.stringify(last)).toContain('Ada lies at dock A'),
  'csv-file-for-claude': ({ last }) => expect(JSON.stringify(last)).toContain('ann,12'),
  'developer-role-for-deepseek': ({ last }) => expect(last.messages[0].role).toBe('system'),
  'document-whose-words-stand-in-the-body': ({ last }) => {
    expect(JSON.stringify(last)).toContain('Timetable')
    expect(JSON.stringify(last)).toContain('23:40')
  },
  'empty-arguments-in-history': ({ last }) => expect(JSON.stringify(last)).toContain('"input":{}'),
  'event-stream-called-plain-text': ({ text }) => expect(text).toContain('Dock A.'),
  'failure-behind-the-data': ({ last }) => {
    for (const words of ['Owner 17 is not yours', 'FORBIDDEN', 'daily quota of 500 exceeded'])
      expect(JSON.stringify(last)).toContain(words)
  },
  'ids-with-colons-in-replies': ({ reply }) => expect(reply.content.at(-1).id).toMatch(/^[a-zA-Z0-9_-]+$/),
  'image-in-a-result-for-chat': ({ last }) => {
    expect(last.messages.at(-1).role).toBe('user')
    expect(JSON.stringify(last.messages.at(-1))).toContain('data:image/png;base64,iVBOR')
  },
  'limit-of-an-answer-for-mistral': ({ last }) => expect(last.max_tokens).toBe(300),
  'parallel-calls-without-index': ({ text }) => {
    expect(text.match(/"type":"tool_use"/g)).toHaveLength(2)
    expect(text).not.toContain('}{')
  },
  'reasoning-back-to-deepseek': ({ last }) =>
    expect(JSON.stringify(last)).toContain('"reasoning_content":"I should look it up."'),
  'stand-in-for-an-error-inside-200': ({ text }) => expect(text).toContain('Low at 6.'),
  'tool-name-of-78-characters': ({ last }) =>
    expect(last.messages[1].tool_calls[0].function.name).toBe(last.tools[0].function.name),
  'system-words-midway-for-claude': ({ last }) => {
    expect(JSON.stringify(last.system)).not.toContain('reminder')
    expect(JSON.stringify(last.messages)).toContain('9 entries left')
  },
}

/** Cases that are refused: their status, and what the refusal says. */
const refused: Readonly<Record<string, readonly [status: number, says: RegExp]>> = {
  'compact-endpoint-with-another-model': [400, /compact/],
  'compaction-trigger-for-another-provider': [400, /compaction_trigger/],
  'unread-body-to-the-wrong-provider': [400, /content/],
  'own-refusal-of-what-does-not-fit': [400, /prompt is too long: \d+ tokens > \d+ maximum/],
}

/** Cases whose reply is an error that clients try again. */
const failing: Readonly<Record<string, RegExp>> = {
  'error-midway-is-not-the-clients-fault': /"type":"api_error"/,
  'malformed-call-of-gemini': /"type":"api_error"/,
}

describe('reported cases', () => {
  const isCase = (name: string): boolean => readdirSync(new URL(`${name}/`, folder)).includes('case.json')
  it.each(names.filter(isCase))('%s', async (name) => {
    const one = caseOf(name)
    const isTooLarge = name === 'own-refusal-of-what-does-not-fit'
    const small = { policy: 'quality-first', models: { 'claude-sonnet-4-5': { windowTokens: 4000 } } }
    const packed = { models: { 'gpt-5.1': { windowTokens: 24_000 } } }
    const result = await outcome(one, isTooLarge ? small : name.startsWith('client-call') ? packed : {})
    const [status, says] = refused[name] ?? []
    if (status !== undefined) {
      expect([result.status, result.sent]).toEqual([status, []])
      expect(result.text).toMatch(says!)
      return
    }
    expect(result.sent.flatMap((request) => request.refused)).toEqual([])
    const failure = failing[name]
    if (failure) expect(result.text).toMatch(failure)
    else expect([result.status, result.status === 200 ? '' : result.text]).toEqual([200, ''])
    for (const words of one.words ?? []) expect(result.sent.at(-1)?.body).toContain(words)
    wanted[name]?.(result)
  })

  it('every case is told what to come to, or is answered', () => {
    for (const name of [...Object.keys(wanted), ...Object.keys(refused), ...Object.keys(failing)])
      expect(names).toContain(name)
  })

  it('system words midway leave what stands before them as it was', async () => {
    const gateway = await strictGateway()
    const { ask: first } = caseOf('system-words-midway-for-claude')
    const { ask: second } = caseOf('system-words-midway-for-claude', 'two-turns.json')
    const [before, after] = [await ask(gateway, first), await ask(gateway, second)]
    const bare = ({ last }: Outcome): string =>
      JSON.stringify([last.system, ...last.messages]).replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    expect(before.last.messages.length).toBeLessThan(after.last.messages.length)
    expect(bare(after).startsWith(bare(before).slice(0, -1))).toBe(true)
  })

  it('a packed session is compacted as the provider saw it last', async () => {
    const { requests } = (await import(new URL('compact-endpoint-of-a-packed-session/requests.mjs', folder).href)) as {
      requests: () => Iterable<Ask>
    }
    const gateway = await strictGateway({ config: { models: { 'gpt-5.1': { windowTokens: 60_000 } } } })
    let last: Outcome | undefined
    const sizes: number[] = []
    for (const one of requests()) {
      last = await ask(gateway, one)
      sizes.push(last.sent[0]!.body.length / 4)
    }
    expect(last?.status).toBe(200)
    expect(gateway.sent.at(-1)?.path).toBe('/v1/responses/compact')
    expect(sizes.at(-1)).toBeLessThan(60_000)
    expect(Math.abs(sizes.at(-1)! - sizes.at(-2)!)).toBeLessThan(sizes.at(-2)! / 10)
  }, 60_000)
})
