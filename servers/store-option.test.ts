import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openaiFixture } from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { startGateway } from './gateway-process.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-store-option-'))
let server: PostgresServer
beforeAll(async () => void (server = await startPostgres()))
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function prehend(...argv: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, ['src/cli/main.ts', ...argv], { env: { ...process.env, HOME: folder } })
  const parts = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => void (parts.out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => void (parts.err += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, ...parts }
}

const storeLine = async (url: string): Promise<string | undefined> => {
  const { out } = await prehend('doctor', '--port', '0', '--store', url)
  return /^\S+ +store +(.*)$/m.exec(out)?.[0]
}

const own = async (statements: string): Promise<void> => {
  const admin = postgres(server.url, { onnotice: () => undefined })
  await admin.unsafe(statements)
  await admin.end()
}

it('doctor says what it finds in PostgreSQL, changes nothing, and names no password', async () => {
  const { port } = server
  expect(await storeLine(server.url)).toMatch(
    new RegExp(
      `^ok +store +PostgreSQL 15\\.\\d+ at postgres://127.0.0.1:${port}/postgres answers; its tables are not there yet`,
    ),
  )
  expect(await storeLine(server.url)).toContain('not there yet')
  await own('CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader')
  const asReader = `postgres://reader:hidden@127.0.0.1:${port}/postgres`
  expect(await storeLine(asReader)).toMatch(/^FAIL .* cannot be written to\. .*grant the user CREATE on the database$/)
  const gateway = await startGateway(['--store', server.url, '--simulate'])
  await gateway.stop()
  expect(await storeLine(server.url)).toMatch(/^ok .*its tables are up to date$/)
  expect((await prehend('doctor', '--port', '0', '--store', server.url)).out).toMatch(
    /^ok +passages +none are kept yet; the server has no pgvector, so the process will compare their vectors$/m,
  )
  expect(await storeLine(asReader)).toMatch(
    /^FAIL .* cannot be written to\. Name the primary server, and a user who owns/,
  )
  const gone = await storeLine(`postgres://prehend:hidden@127.0.0.1:1/postgres`)
  expect(gone).toMatch(/^FAIL +store +postgres:\/\/127\.0\.0\.1:1\/postgres cannot be used: .*ECONNREFUSED/)
  expect(gone).not.toContain('hidden')
  expect(await storeLine('mysql://127.0.0.1/prehend')).toMatch(/^FAIL .*is no address of a PostgreSQL server/)
  await own(`UPDATE prehend.table_versions SET version = 99 WHERE name = 'receipts'`)
  expect(await storeLine(server.url)).toMatch(/^FAIL .*its table receipts has schema 99, this version knows \d+/)
  await own('DROP SCHEMA prehend CASCADE')
})

it('what a gateway on PostgreSQL has written is read by the commands that are told of the same store', async () => {
  const gateway = await startGateway(['--store', server.url, '--simulate'])
  const body = JSON.stringify(openaiFixture.body(8))
  const headers = { 'content-type': 'application/json', 'x-session-id': 's1' }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
  await response.text()
  await gateway.stop()
  const id = response.headers.get('x-prehend-request-id')!
  expect((await prehend('packs', '--store', server.url)).out).toContain(id)
  expect((await prehend('sessions', '--store', server.url)).out).toContain('s1')
  const shown = await prehend('packs', id, '--store', server.url, '--json')
  const { manifest } = JSON.parse(shown.out) as { manifest: { decisions: readonly { handle?: string }[] } }
  const handle = manifest.decisions.find((decision) => decision.handle !== undefined)?.handle
  const original = await prehend('rehydrate', handle!, '--store', server.url)
  expect(original.out).toContain('the needle of result')
  const missing = await prehend('packs', '--store', 'postgres://prehend:hidden@127.0.0.1:1/postgres')
  expect(missing.err).toMatch(/postgres:\/\/127\.0\.0\.1:1\/postgres/)
  expect(missing.err).not.toContain('hidden')
  expect(missing.code).toBe(7)
})
