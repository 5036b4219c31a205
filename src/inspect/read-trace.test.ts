import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTrace } from './read-trace.ts'
import type { Trace } from './trace.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-trace-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, rows: readonly unknown[]): string {
  const file = join(folder, name)
  writeFileSync(file, rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'))
  return file
}

async function read(...rows: readonly unknown[]): Promise<readonly Trace[]> {
  return readAll(write('trace.jsonl', rows))
}

async function readAll(file: string): Promise<readonly Trace[]> {
  const traces: Trace[] = []
  for await (const trace of readTrace(file)) traces.push(trace)
  return traces
}

async function problemOf(...rows: readonly unknown[]): Promise<string> {
  const error: unknown = await read(...rows).catch((reason: unknown) => reason)
  return error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : 'no error'
}

const system = { role: 'system', content: 'be brief' }
const user = { role: 'user', content: 'list the files' }
const call = {
  role: 'assistant',
  content: 'Looking.',
  tool_calls: [{ id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }],
}
const result = { role: 'tool', tool_call_id: 'c1', content: 'a.txt\nb.txt', returncode: 0, ts: 1_700_000_000.5 }
const answer = { role: 'assistant', content: 'Two files.', ts: 1_700_000_004 }

const textsOf = (trace: Trace | undefined): readonly (readonly string[])[] =>
  (trace?.requests ?? []).map((request) =>
    request.messages.flatMap((message) => message.items.map((item) => item.text)),
  )

describe('readTrace: sessions', () => {
  it('gives one request for every assistant message, with all messages before it', async () => {
    const [trace] = await read({ id: 's1', messages: [system, user, call, result, answer] })
    expect(trace?.id).toBe('s1')
    expect(textsOf(trace)).toEqual([
      ['be brief', 'list the files'],
      ['be brief', 'list the files', 'Looking.', '{"command":"ls"}', 'a.txt\nb.txt'],
    ])
  })

  it('shares messages between requests, so that what is known of one is known of all', async () => {
    const [trace] = await read({ id: 's1', messages: [system, user, call, result, answer] })
    expect(trace?.requests[1]?.messages[1]).toBe(trace?.requests[0]?.messages[1])
  })

  it('takes times in seconds, and keeps a pace where there are none', async () => {
    const [trace] = await read({ id: 's1', messages: [user, call, result, answer] })
    expect(trace?.requests.map((request) => request.atMs)).toEqual([0, 1_700_000_000_500])
    const [untimed] = await read({
      id: 's1',
      messages: [user, call, { ...result, ts: undefined }, { ...answer, ts: undefined }],
    })
    expect(untimed?.requests.map((request) => request.atMs)).toEqual([0, 10_000])
  })

  it('takes ISO-8601 times and never goes back in time', async () => {
    const at = (ts: string, content: string) => ({ role: 'user', content, ts })
    const messages = [at('2025-12-08T22:41:05.306Z', 'a'), call, at('2025-12-08T22:40:00Z', 'b'), answer]
    const [trace] = await read({ id: 's1', messages: messages.map((message) => ({ ...message })) })
    expect(trace?.requests.map((request) => request.atMs)).toEqual([1_765_233_665_306, 1_765_233_665_306])
  })

  it('marks failed observations where a request would say so', async () => {
    const [flagged] = await read({ id: 's1', messages: [user, call, { ...result, is_error: true }, answer] })
    expect(flagged?.requests[1]?.messages[2]?.items[0]).toMatchObject({ kind: 'tool-result', status: 'error' })
    const [silent] = await read({ id: 's1', messages: [user, call, { ...result, returncode: 2 }, answer] })
    expect(silent?.requests[1]?.messages[2]?.items[0]?.status).toBeUndefined()
  })

  it('tells a result which tool it came from', async () => {
    const [trace] = await read({ id: 's1', messages: [user, call, result, answer] })
    expect(trace?.requests[1]?.messages[2]?.items[0]).toMatchObject({ toolName: 'bash', group: 'c1' })
  })

  it('reads Anthropic blocks: calls, results, thinking, images and blocks it does not know', async () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'go' },
          { type: 'image', source: {} },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'text of a' }], is_error: true },
          { type: 'new_block', x: 1 },
        ],
      },
      { role: 'assistant', content: 'done' },
    ]
    const [trace] = await read({ id: 's1', system: 'be brief', messages })
    expect(textsOf(trace)[1]).toEqual([
      'be brief',
      'go',
      '',
      'hm',
      '{"path":"a"}',
      'text of a',
      '{"type":"new_block","x":1}',
    ])
    const kinds = trace?.requests[1]?.messages.flatMap((message) => message.items.map((item) => item.kind))
    expect(kinds).toEqual(['instruction', 'text', 'media', 'reasoning', 'tool-call', 'tool-result', 'opaque'])
  })

  it('keeps line and paragraph separators inside JSON strings', async () => {
    const text = 'one\u2028two\u2029three'
    const [trace] = await read(
      `{"id":"s1","messages":[{"role":"user","content":"${text}"},{"role":"assistant","content":"x"}]}`,
    )
    expect(textsOf(trace)[0]).toEqual([text])
  })

  it('puts characters together that were cut between two chunks of a file', async () => {
    const text = 'ä€😀'.repeat(200_000)
    const [trace] = await read({ id: 's1', messages: [{ role: 'user', content: text }, answer] })
    expect(textsOf(trace)[0]?.[0]).toBe(text)
  })

  it('skips blank lines and a byte order mark', async () => {
    expect(await read(`\uFEFF${JSON.stringify({ id: 's1', messages: [user, answer] })}`, '', '  ')).toHaveLength(1)
  })
})

describe('readTrace: request logs', () => {
  const body = (...messages: readonly unknown[]) => ({ model: 'gpt-5.1', messages })

  it('joins request bodies to sessions by their opening', async () => {
    const other = { role: 'user', content: 'another task' }
    const traces = await read(body(system, user), body(system, other), body(system, user, call, result))
    expect(traces.map((trace) => trace.requests.length)).toEqual([2, 1])
    expect(traces[0]?.requests[1]?.messages[1]).toBe(traces[0]?.requests[0]?.messages[1])
  })

  it('begins a new session when the same opening comes again without an answer', async () => {
    const traces = await read(body(system, user), body(system, user, call, result), body(system, user))
    expect(traces.map((trace) => trace.requests.length)).toEqual([2, 1])
  })

  it('reads {request, response}, its session and its time', async () => {
    const rows = [
      { session: 'x', ts: '2025-01-01T00:00:00Z', request: body(user), response: {} },
      { session: 'x', ts: '2025-01-01T00:01:00Z', request: body(user, call, result), response: {} },
    ]
    const [trace] = await read(...rows)
    expect(trace?.id).toBe('x')
    expect(trace?.requests.map((request) => request.atMs)).toEqual([1_735_689_600_000, 1_735_689_660_000])
  })

  it('counts tools and the system prompt, which stand outside the messages', async () => {
    const tools = [{ name: 'read', input_schema: { type: 'object' } }]
    const [trace] = await read({ model: 'claude-opus-5', system: 'be brief', tools, messages: [user] })
    expect(trace?.requests[0]?.messages.map((message) => message.id)).toEqual(['tools', 'system', 'm0'])
  })

  it('sees a history that the client rewrote as new messages', async () => {
    const [trace] = await read(body(user, call, result), body(user, call, { ...result, content: 'shorter' }))
    expect(trace?.requests[1]?.messages[1]).toBe(trace?.requests[0]?.messages[1])
    expect(trace?.requests[1]?.messages[2]).not.toBe(trace?.requests[0]?.messages[2])
  })
})

describe('readTrace: needles', () => {
  const session = { id: 's1', messages: [user, call, result, answer] }

  async function withNeedles(name: string, ...rows: readonly unknown[]): Promise<readonly Trace[]> {
    write(name, rows)
    return read(session)
  }

  it('come from the file beside the trace', async () => {
    const [trace] = await withNeedles('trace.needles.jsonl', { id: 's1', step: 3, needle: 'a.txt', src: [2], n_src: 1 })
    expect(trace?.needles?.get(1)).toEqual([{ text: 'a.txt', sources: ['m2'] }])
  })

  it('are unknown without a file, and none for a trace that the file does not name', async () => {
    expect((await read(session))[0]?.needles).toBeUndefined()
    const [trace] = await withNeedles('trace.needles.jsonl', { id: 'other', step: 3, needle: 'a.txt', src: [2] })
    expect(trace?.needles?.size).toBe(0)
  })

  it('are, for argument values, those that stood in tool output only', async () => {
    const row = { id: 's1', step: 3, tool: 'bash', needle: 'b.txt' }
    const [trace] = await withNeedles(
      'trace.argvalues.jsonl',
      { ...row, src_tool: [2], src_other: [] },
      { ...row, needle: 'list', src_tool: [2], src_other: [0] },
      { ...row, needle: 'made up', src_tool: [], src_other: [] },
    )
    expect(trace?.needles?.get(1)?.map((needle) => needle.text)).toEqual(['b.txt'])
  })

  it.each([
    ['is not a list', { id: 's1', step: 3, needle: 'a.txt', src: 2 }, 'trace.needles.jsonl:1 src'],
    ['before the step', { id: 's1', step: 3, needle: 'a.txt', src: [2, 7] }, 'trace.needles.jsonl:1 src[1]'],
    ['is empty', { id: 's1', step: 3, needle: 'a.txt', src: [] }, 'trace.needles.jsonl:1 src'],
    ['is not text', { id: 's1', step: 3, needle: '', src: [2] }, 'trace.needles.jsonl:1 needle'],
    ['is no message index', { id: 's1', step: 1.5, needle: 'a.txt', src: [0] }, 'trace.needles.jsonl:1 step'],
    ['is not text', { step: 3, needle: 'a.txt', src: [2] }, 'trace.needles.jsonl:1 id'],
    ['is no assistant message', { id: 's1', step: 2, needle: 'a.txt', src: [1] }, 'trace.needles.jsonl:1 step'],
    ['is not JSON', '{"id":', 'trace.needles.jsonl:1'],
  ])('a malformed row is an error that says where: %s', async (problem, row, field) => {
    const error: unknown = await withNeedles('trace.needles.jsonl', row).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: expect.stringMatching(/^invalid-(input|json)$/) })
    expect(String(error)).toContain(`${field}: `)
    expect(String(error)).toContain(problem)
  })
})

describe('readTrace: bad input names file, line and field', () => {
  it.each([
    ['trace.jsonl:2: the line is not JSON', [{ id: 's', messages: [user, answer] }, '{"id": "s2", "mess']],
    ['trace.jsonl:1: is not an object', ['[1, 2]']],
    ['trace.jsonl:1: is of no form that is known (it has id)', [{ id: 's' }]],
    ['trace.jsonl:1 messages: is not a list', [{ id: 's', messages: 'hello' }]],
    ['trace.jsonl:1 messages: is empty', [{ id: 's', messages: [] }]],
    ['trace.jsonl:1 messages[1]: is not an object', [{ id: 's', messages: [user, 7] }]],
    ['trace.jsonl:1 messages[0].role: is no known role', [{ id: 's', messages: [{ role: 'robot', content: '' }] }]],
    ['trace.jsonl:1 messages[0].content: is neither', [{ id: 's', messages: [{ role: 'user', content: 5 }] }]],
    [
      'trace.jsonl:1 messages[0].content[0]: is not a content block',
      [{ id: 's', messages: [{ role: 'user', content: [3] }] }],
    ],
    [
      'trace.jsonl:1 messages[0].content[0].text: is not text',
      [{ id: 's', messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ],
    [
      'trace.jsonl:1 messages[0].tool_calls: is not a list',
      [{ id: 's', messages: [{ role: 'assistant', tool_calls: {} }] }],
    ],
    [
      'trace.jsonl:1 messages[0].tool_calls[0].name: is not text',
      [{ id: 's', messages: [{ role: 'assistant', tool_calls: [{ id: 'x' }] }] }],
    ],
    ['trace.jsonl:1 messages[0].ts: is no time', [{ id: 's', messages: [{ role: 'user', content: 'x', ts: 'noon' }] }]],
    ['trace.jsonl:1 request.messages: is not a list', [{ request: { model: 'x' } }]],
    ['trace.jsonl:1 tools: is not a list', [{ model: 'x', tools: 'all', messages: [user] }]],
    ['trace.jsonl:1: holds no request', ['']],
  ])('%s', async (problem, rows) => {
    expect(await problemOf(...rows)).toContain(problem)
  })

  it('a missing file and a folder are not found', async () => {
    for (const file of [join(folder, 'nothing.jsonl'), folder]) {
      const error: unknown = await readAll(file).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'not-found', data: { what: file } })
    }
  })
})
