import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { readTrace } from '../read-trace.ts'
import type { Trace } from '../trace.ts'
import { allForms } from './all-forms.ts'
import { bodyIn } from './bodies-in.ts'
import type { ReadForm } from './form-counts.ts'
import { claudeOpening, samples, unusable } from './samples.fixture.ts'
import type { Sample } from './samples.fixture.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-forms-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Outcome {
  readonly traces: readonly Trace[]
  readonly forms: readonly ReadForm[]
  readonly error?: unknown
}

async function read(name: string, bytes: string | Uint8Array): Promise<Outcome> {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  const traces: Trace[] = []
  let forms: readonly ReadForm[] = []
  try {
    for await (const trace of readTrace(file, { onForms: (told) => (forms = told) })) traces.push(trace)
  } catch (error) {
    return { traces, forms, error }
  }
  return { traces, forms }
}

/** Words, calls and results of the requests, in order; a system prompt stands in some forms only. */
const saidIn = ({ traces }: Outcome): readonly (readonly string[])[] =>
  traces
    .flatMap(({ requests }) => requests)
    .map(({ messages }) =>
      messages.flatMap(({ items }) =>
        items
          .filter(({ kind }) => kind !== 'instruction')
          .map(({ kind, toolName, text }) => `${kind} ${toolName ?? ''} ${text}`),
      ),
    )

const first = ['text  Why does the build fail?']
const second = [...first, 'text  I look.', 'tool-call read {"path":"a.ts"}', 'tool-result read x is not defined']
const nameOf = ({ form, file }: Sample): string => `${form}: ${file}`

describe('forms of files', () => {
  it('each has a sample', () => {
    const refused = ['batch results', 'Cline screen messages', 'events of codex exec']
    const sampled = new Set([...samples.map(({ form }) => form), ...refused])
    expect(allForms.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([])
  })

  it('each stands in docs/files.md', () => {
    const page = readFileSync('docs/files.md', 'utf8')
    expect(allForms.map(({ name }) => name).filter((name) => !page.includes(`| ${name} |`))).toEqual([])
  })

  it.each(samples.map((sample) => [nameOf(sample), sample] as const))(
    '%s is recognised and says the same',
    async (_, sample) => {
      const { form, file, text, requests = 2, lacks = [] } = sample
      const outcome = await read(file, text)
      expect(outcome.error).toBeUndefined()
      expect(outcome.forms).toEqual([{ name: form, requests, lacks }])
      expect(outcome.traces).toHaveLength(1)
      expect(saidIn(outcome)).toEqual([first, second].slice(0, requests))
    },
  )

  it.each(unusable.map((each) => [each.file, each] as const))(
    '%s is recognised, and an error says what to do',
    async (_, { file, text, says }) => {
      const { error } = await read(file, text)
      expect(isPrehendError(error)).toBe(true)
      expect(error instanceof Error && error.message).toMatch(says)
    },
  )

  it('with a byte order mark, CRLF, in UTF-16 or gzip it is the same', async () => {
    for (const sample of samples) {
      const windows = `\uFEFF${sample.text.replaceAll('\n', '\r\n')}`
      const forms = [windows, Buffer.from(windows, 'utf16le'), gzipSync(sample.text)]
      for (const bytes of forms) {
        const outcome = await read(sample.file, bytes)
        expect([nameOf(sample), outcome.error, outcome.forms[0]?.name]).toEqual([
          nameOf(sample),
          undefined,
          sample.form,
        ])
        expect(saidIn(outcome).at(-1)).toEqual(sample.requests === 1 ? first : second)
      }
    }
  })

  it('archives and databases are named, damaged ones too', async () => {
    const database = Buffer.from('SQLite format 3\0 and more of it', 'latin1')
    expect(String((await read('a.db', database)).error)).toMatch(/is an SQLite database.* opencode export/)
    expect(String((await read('a.zip', Buffer.from('PK\u0003\u0004 and more of it'))).error)).toMatch(
      /is a zip archive/,
    )
    const zipped = gzipSync(samples[0]?.text ?? '')
    expect(String((await read('a.gz', zipped.subarray(0, -9))).error)).toMatch(/is a damaged gzip file/)
  })

  it('never throws anything but an error of ours, whatever is cut or replaced', async () => {
    const values = ['null', '7', '"x"', '[]', '{}', '[[{}]]', '"\\ud83d"', 'tru', '']
    await assert(
      asyncChange(async ({ sample, at, length, value }) => {
        const start = at % sample.text.length
        const text = `${sample.text.slice(0, start)}${value}${sample.text.slice(start + length)}`
        const { error } = await read('changed.json', text)
        if (error !== undefined && !isPrehendError(error)) throw new Error(text, { cause: error })
      }, values),
      { numRuns: 1000 },
    )
  })

  it('never throws anything but an error of ours where a member is of another type', async () => {
    const wrong: unknown[] = []
    for (const { text, file } of samples) {
      for (const [, name] of text.matchAll(/"([\w.$-]+)": ?/g)) {
        for (const value of ['null', '7', '[7, null]', '{"a": {}}', '"{\\"b\\": 1}"']) {
          const changed = replaceMember(text, name ?? '', value)
          const { error } = await read(file, changed)
          if (error !== undefined && !isPrehendError(error)) wrong.push([file, name, value, error])
        }
      }
    }
    expect(wrong).toEqual([])
  }, 60_000)
})

interface Change {
  readonly sample: Sample
  readonly at: number
  readonly length: number
  readonly value: string
}

function asyncChange(check: (change: Change) => Promise<void>, values: readonly string[]) {
  const arbitrary = record({
    sample: constantFrom(...samples),
    at: nat(),
    length: nat({ max: 60 }),
    value: constantFrom(...values),
  })
  return asyncProperty(arbitrary, check)
}

/** Every member of the name, with another value. */
function replaceMember(text: string, name: string, value: string): string {
  const replaced = (whole: string): string =>
    JSON.stringify(JSON.parse(whole), (key, old: unknown) => (key === name ? JSON.parse(value) : old))
  const isLines = text.split('\n', 2)[0]?.endsWith('}')
  return isLines ? text.trim().split('\n').map(replaced).join('\n') : safely(replaced, text)
}

/** Documents one after another are left as they are. */
function safely(replaced: (whole: string) => string, text: string): string {
  try {
    return replaced(text)
  } catch {
    return text
  }
}

describe('Claude Code sessions', () => {
  const [, opening, words, call] = claudeOpening
  const base = { isSidechain: false, sessionId: 's1', timestamp: '2026-10-02T08:00:05.000Z' }
  const lines = (...all: readonly object[]): string => all.map((line) => JSON.stringify(line)).join('\n')
  const user = (uuid: string, parentUuid: string, content: unknown): object => ({
    ...base,
    uuid,
    parentUuid,
    type: 'user',
    message: { role: 'user', content },
  })
  const said = (uuid: string, parentUuid: string, id: string, content: readonly unknown[]): object => ({
    ...base,
    uuid,
    parentUuid,
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-sonnet-4-5', content },
  })
  const result = (id: string): readonly unknown[] => [
    { type: 'tool_result', tool_use_id: id, content: `result of ${id}` },
  ]
  const text = (spoken: string): readonly unknown[] => [{ type: 'text', text: spoken }]

  it('keep the results of parallel calls, which hang on the lines of their calls', async () => {
    const outcome = await read(
      'parallel.jsonl',
      lines(
        opening,
        words,
        call,
        said('u4', 'u3', 'm1', [{ type: 'tool_use', id: 'c2', name: 'read', input: {} }]),
        user('u5', 'u3', result('c1')),
        user('u6', 'u4', result('c2')),
        said('u7', 'u6', 'm2', text('Done.')),
      ),
    )
    expect(outcome.traces).toHaveLength(1)
    expect(saidIn(outcome)[1]?.slice(-2)).toEqual(['tool-result read result of c1', 'tool-result read result of c2'])
  })

  it('are one session for each branch, and no request comes twice', async () => {
    const outcome = await read(
      'branches.jsonl',
      lines(
        opening,
        words,
        call,
        user('u5', 'u3', result('c1')),
        said('u6', 'u5', 'm2', text('First try.')),
        said('u7', 'u5', 'm3', text('Second try.')),
      ),
    )
    expect(outcome.traces.map(({ requests }) => requests.length)).toEqual([2, 1])
    expect(outcome.forms[0]?.requests).toBe(3)
  })

  it('are a session of their own for agents and after a compaction, and leave out errors that stand for answers', async () => {
    const outcome = await read(
      'agents.jsonl',
      lines(
        opening,
        words,
        call,
        user('u5', 'u3', result('c1')),
        { ...said('u6', 'u5', 'm2', text('API Error: 529')), isApiErrorMessage: true },
        said('u7', 'u6', 'm3', text('Done.')),
        { ...user('a1', '', 'Look for x.'), parentUuid: null, isSidechain: true },
        { ...said('a2', 'a1', 'n1', text('Found.')), isSidechain: true },
        { ...base, uuid: 'k1', parentUuid: null, logicalParentUuid: 'u7', type: 'system', subtype: 'compact_boundary' },
        { ...user('k2', 'k1', 'The session so far: …'), isCompactSummary: true },
        said('k3', 'k2', 'm4', text('I go on.')),
      ),
    )
    const openings = outcome.traces.map(({ id, requests }) => [
      id,
      requests.length,
      requests.at(-1)?.messages[0]?.items[0]?.text,
    ])
    expect(openings).toEqual([
      ['s1', 1, 'The session so far: …'],
      ['s1/agent', 1, 'Look for x.'],
      ['s1', 2, 'Why does the build fail?'],
    ])
    expect(JSON.stringify(outcome.traces)).not.toContain('API Error')
  })
})

describe('request bodies of recorded traffic', () => {
  it('can be decoded in their dialect, whatever form they stood in', () => {
    for (const sample of samples) {
      const { body, dialect, of } = bodyIn(sample.file, sample.text)
      const text = JSON.stringify({ model: 'gpt-5.1', ...body })
      const { items } = codecFor(dialect).decode({ body: text }).conversation
      const results = items.filter(({ kind }) => kind === 'tool-result').map((item) => item.text)
      expect([nameOf(sample), of, results.join().includes('x is not defined')]).toEqual([
        nameOf(sample),
        sample.requests ?? 2,
        sample.requests === undefined,
      ])
    }
  })

  it('are those before each answer, in the dialect in which they were sent', () => {
    const codex = samples.find(({ file }) => file === 'rollout-2026-10-02.jsonl')?.text ?? ''
    expect(bodyIn('f', codex, 1)).toMatchObject({
      dialect: 'openai-responses',
      number: 1,
      of: 2,
      body: { model: 'gpt-5.1', instructions: 'Be brief.' },
    })
    const { body } = bodyIn('f', codex)
    expect(body['input']).toHaveLength(4)
    expect(JSON.stringify(body)).not.toContain('"ts"')
    expect(() => bodyIn('f', codex, 3)).toThrow('has 2 requests, and no number 3')
  })
})
