import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSession, readExtension } from '../sessions/index.ts'
import { sqliteStore } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-compiling-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Shows every result of a tool in one line of its own, or has no say. */
const ladderOf = (name: string, code: string): string =>
  written(
    `${name}.mjs`,
    `export default { name: '${name}', specificationVersion: 1, open: () => ({ ladders: [${code}] }) }`,
  )
const oneLine = ladderOf(
  'one-line',
  `(item, { count, handle }) => item.kind !== 'tool-result' ? undefined : [
    { rung: 'full', text: item.text, tokens: count(item.text), fidelity: 1 },
    { rung: 'line', text: 'RESULT ' + handle, tokens: count('RESULT ' + handle), fidelity: 0.2, handle }]`,
)
const silent = ladderOf('silent', '() => undefined')

const result = (number: number): string =>
  Array.from({ length: 120 }, (_, line) => `line ${line} of ${number}: value ${line * number}`).join('\n')

const messages = (results: number) => [
  { role: 'user', content: 'What is the value?' },
  ...Array.from({ length: results }, (_, at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: `{"at":${at}}` } }],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: result(at) },
  ]).flat(),
]
const tools = [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }]
const body = (results: number) => ({ model: 'gpt-5.1', tools, messages: messages(results) })

const short = written('short.json', JSON.stringify(body(5)))
const long = written('long.json', JSON.stringify(body(8)))
const trace = written('trace.jsonl', [4, 6, 8].map((results) => JSON.stringify(body(results))).join('\n'))

async function run(...argv: readonly string[]) {
  const io = fakeIo()
  const code = await runCli([...argv], io)
  return { code, ...io.written }
}

describe('a command compiles with the ladders of its extensions', () => {
  it.each([
    [['ablate', long, '--budget', '4000', '--by', 'item', '--json']],
    [['diagnose', long, '--budget', '4000', '--json']],
    [['diff', short, long, '--budget', '4000', '--json']],
    [['diff', '--trace', trace, '1', '3', '--budget', '4000', '--json']],
    [['replay', trace, '--window', '4000', '--strategy', 'prehend:thrifty', '--json']],
  ])('%j', async (argv) => {
    const figures = async (...more: readonly string[]): Promise<string> => {
      const { err, out } = await run(...argv, ...more)
      expect(err).not.toContain('extension')
      return out.replaceAll(/"\w*(?:[mM]s|P50|P95|p50|p95)":[\d.]+/g, '')
    }
    const without = await figures()
    expect(await figures('--extension', silent)).toBe(without)
    expect(await figures('--extension', oneLine)).not.toBe(without)
  })

  it('eval: what its packs keep is what the scorers of extensions rank first', async () => {
    const turns = Array.from({ length: 60 }, (_, at) => ({
      speaker: ['Ann', 'Ben'][at % 2],
      text: at === 30 ? 'I would like the remote control in yellow rubber.' : `Point ${at} of the agenda was read out.`,
    }))
    const queries = [{ id: 'q1', query: 'What should the remote control look like?', spans: [[30, 30]] }]
    const meeting = written('meeting.jsonl', `${JSON.stringify({ id: 'm1', turns, queries })}\n`)
    const unasked = written(
      'unasked.mjs',
      `export default { name: 'unasked', specificationVersion: 1, open: () => ({
        scorers: [({ text }) => text.includes('yellow') ? 0 : 1] }) }`,
    )
    const keptWith = async (...more: readonly string[]): Promise<string> =>
      (await run('eval', meeting, '--budget', '500', '--json', ...more)).out
    const without = await keptWith()
    expect(await keptWith('--extension', silent)).toBe(without)
    expect(await keptWith('--extension', unasked)).not.toBe(without)
  })

  it('packs: the text of an item is the one that was sent', async () => {
    const data = join(folder, 'data')
    const store = sqliteStore({ path: join(data, 'prehend.sqlite') })
    const { default: value } = (await import(oneLine)) as { readonly default: unknown }
    const session = openSession({
      store,
      record: 'content',
      extensions: [readExtension(value, 'one-line')],
      policy: 'thrifty',
    })
    await session.pack({ ...body(8), max_completion_tokens: 395_000 })
    const [{ requestId } = { requestId: '' }] = await store.read('receipts').list('default', { limit: 1 })
    await session.close()
    await store.close()
    const shown = (...more: readonly string[]) => run('packs', requestId, '--data', data, '--json', ...more)
    const decisions = JSON.parse((await shown()).out).manifest.decisions as readonly { itemId: string; rung: string }[]
    const { itemId } = decisions.find(({ rung }) => rung === 'line')!
    const sent = await shown('--item', itemId, '--extension', oneLine)
    expect(JSON.parse(sent.out).text).toMatch(/^RESULT \d+$/)
    expect(sent.err).toBe('')
    expect((await shown('--item', itemId)).err).toContain('compiled again, the request came out otherwise')
  })
})
