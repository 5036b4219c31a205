import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { memoryStore } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-cli-tools-'))
const file = join(folder, 'tool.json')
let gateway: Gateway

async function run(argv: readonly string[], input = '') {
  const io = fakeIo({ columns: 200, environment: { PREHEND_URL: gateway.url }, input })
  return { code: await runCli(['tools', ...argv], io), ...io.written }
}

beforeAll(async () => {
  const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const greet = {
    name: 'greet',
    description: 'Greets somebody by name.',
    inputSchema,
    scopes: ['speak'],
    run: ({ name }: { readonly name?: unknown }) => `Hello ${String(name)}`,
  }
  gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore(), tools: [greet] })
  writeFileSync(file, JSON.stringify({ description: 'Opens a ticket.', inputSchema }))
})

afterAll(async () => {
  await gateway.close(0)
  rmSync(folder, { recursive: true })
})

it('M-05: calls a tool, and the exit code says whether that has worked', async () => {
  expect(await run(['call', 'host::greet', '{"name":"Ada"}'])).toMatchObject({ code: 0, out: 'Hello Ada\n' })
  expect(await run(['call', 'greet', '-'], '{"name":"Bob"}')).toMatchObject({ code: 0, out: 'Hello Bob\n' })
  const failed = await run(['call', 'host::greet', '{}'])
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toMatch(/^invalid-arguments: .*`name` must be given/)
  expect(await run(['call', 'greet', '{"name":"Ada"}', '--scope', 'read'])).toMatchObject({ code: 1 })
  const json = await run(['call', 'greet', '{"name":"Ada"}', '--json', '--session', 's1'])
  expect(JSON.parse(json.out)).toMatchObject({ ok: true, tool: 'host::greet', text: 'Hello Ada' })
})

it('adds, lists, finds, shows and removes', async () => {
  expect(await run(['add', 'open_ticket', file])).toMatchObject({
    code: 0,
    out: 'added own::open_ticket, called open_ticket\n',
  })
  expect((await run([])).out).toMatch(/host::greet .*\nown::open_ticket /)
  const found = JSON.parse((await run(['search', 'ticket', '--json'])).out) as { data: { id: string }[] }
  expect(found.data.map(({ id }) => id)).toEqual(['own::open_ticket'])
  expect((await run(['show', 'open_ticket'])).out).toContain('own::open_ticket, called open_ticket, protocol, ready')
  expect((await run(['call', 'open_ticket', '{"name":"x"}'])).err).toMatch(/^not-executable/)
  expect(await run(['remove', 'open_ticket'])).toMatchObject({ code: 0, out: 'removed own::open_ticket\n' })
  expect((await run(['show', 'open_ticket'])).code).toBe(4)
})

it('writes a typed client that runs', async () => {
  const out = join(folder, 'greet.ts')
  expect((await run(['client', 'greet', '--out', out])).code).toBe(0)
  const code = module.stripTypeScriptTypes(readFileSync(out, 'utf8'))
  const made = join(folder, 'greet.mjs')
  writeFileSync(made, code)
  const { greet } = (await import(made)) as { greet: (given: object, at: object) => Promise<unknown> }
  expect(await greet({ name: 'Ada' }, { url: gateway.url })).toMatchObject({ ok: true, text: 'Hello Ada' })
})

it('says what is wrong with a command line', async () => {
  expect((await run(['cal', 'x'])).err).toContain('Use one of list, search')
  expect((await run(['call'])).err).toContain('ID: is missing')
  expect((await run(['call', 'greet', '[1]'])).err).toContain('JSON: is no object')
  expect((await run(['add', 'x', join(folder, 'absent.json')])).code).toBe(4)
  expect((await run(['list', 'x'])).code).toBe(2)
})
