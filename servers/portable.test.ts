import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PortableStore } from '../src/stores/kernel/portable.ts'
import { fillStore, needleOf, tellAll } from '../src/stores/portable/filled-store.fixture.ts'
import { exportStore } from '../src/stores/portable/export-store.ts'
import { importStore } from '../src/stores/portable/import-store.ts'
import { postgresPortable } from '../src/stores/postgres/portable-postgres.ts'
import { postgresStore } from '../src/stores/postgres/postgres-store.ts'
import { sqlitePortable } from '../src/stores/sqlite/portable-sqlite.ts'
import { sqliteStore } from '../src/stores/sqlite/sqlite-store.ts'
import { findProgram } from './programs.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-portable-'))
let server: PostgresServer
beforeAll(async () => void (server = await startPostgres()))
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const tenants = ['acme', 'globex']

async function exported(from: PortableStore, tenant?: string): Promise<string> {
  let text = ''
  await exportStore(from, { tenant, version: '1.2.3', write: (piece) => void (text += piece) })
  return text
}

const bytesOf = (text: string) =>
  async function* () {
    yield Buffer.from(text)
  }

async function filledFile(): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.sqlite`)
  const store = sqliteStore({ path })
  for (const tenant of tenants) await fillStore(store, tenant)
  await store.close()
  return path
}

it('takes a store from SQLite to PostgreSQL and back, byte for byte', async () => {
  const path = await filledFile()
  const first = await exported(sqlitePortable(path))
  const target = await postgresPortable(server.url, 'copy')
  await importStore(target, bytesOf(first))
  expect(await exported(target)).toBe(first)
  expect(await exported(target, 'acme')).toBe(await exported(sqlitePortable(path), 'acme'))

  const source = sqliteStore({ path })
  const moved = await postgresStore({ url: server.url, schema: 'copy' })
  const told = await tellAll(source, tenants)
  expect(await tellAll(moved, tenants)).toEqual(told)
  const copy = sqlitePortable(join(folder, 'back.sqlite'))
  await importStore(copy, bytesOf(await exported(target)))
  expect(await exported(copy)).toBe(first)

  await fillStore(moved, 'initech')
  expect(await tellAll(moved, tenants)).toEqual(told)
  await expect(importStore(target, bytesOf(first))).rejects.toThrow(/already holds data of the tenant acme/)
  await Promise.all([source.close(), moved.close(), target.close()])
})

it('takes nothing of a file that turns out to be damaged while it is written', async () => {
  const first = await exported(sqlitePortable(await filledFile()))
  const target = await postgresPortable(server.url, 'damaged')
  const texts = [first, first.slice(0, first.length / 2)]
  const file = () => bytesOf(texts.shift() ?? '')()
  await expect(importStore(target, file)).rejects.toThrow(/is not whole/)
  expect(JSON.parse((await exported(target)).split('\n')[0] ?? '')).toMatchObject({ tenants: [] })
  await importStore(target, bytesOf(first))
  expect(await exported(target)).toBe(first)
  await target.close()
})

it('leaves nothing of a tenant that was deleted, and all of the others', async () => {
  const store = await postgresStore({ url: server.url, schema: 'dropped' })
  for (const tenant of tenants) await fillStore(store, tenant)
  for (const tenant of tenants)
    await store.read('turns').search({ tenant, session: `s1-${needleOf(tenant)}` }, 'needle', 5)
  const before = await tellAll(store, ['globex'])
  expect(await tablesWith('dropped', needleOf('acme'))).not.toEqual([])
  const pruned = await store.dropTenant('acme')
  expect(pruned['sessions']).toBe(3)
  expect(await tablesWith('dropped', needleOf('acme'))).toEqual([])
  expect(await tellAll(store, ['globex'])).toEqual(before)
  expect(await store.dropTenant('acme')).toEqual({})
  await store.close()
})

it('is the same after pg_dump and pg_restore, beside a gateway that writes', async () => {
  const store = await postgresStore({ url: server.url })
  for (const tenant of tenants) await fillStore(store, tenant)
  const before = await postgresPortable(server.url)
  const [first, told] = [await exported(before), await tellAll(store, tenants)]
  const dump = join(folder, 'prehend.dump')
  run('pg_dump', '--format=custom', '--schema=prehend', `--file=${dump}`, server.url)
  await fillStore(store, 'initech')
  await Promise.all([store.close(), before.close()])

  const admin = postgres(server.url, { onnotice: () => undefined })
  await admin`CREATE DATABASE restored`
  await admin.end()
  const url = server.url.replace(/postgres$/, 'restored')
  run('pg_restore', `--dbname=${url}`, dump)
  const [restored, after] = [await postgresStore({ url }), await postgresPortable(url)]
  expect(await exported(after)).toBe(first)
  expect(await tellAll(restored, tenants)).toEqual(told)
  await fillStore(restored, 'initech')
  await Promise.all([restored.close(), after.close()])
})

function run(program: string, ...given: readonly string[]): void {
  const { status, stderr } = spawnSync(findProgram(program) ?? program, given, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
}

/** Tables that have a row with a text. */
async function tablesWith(schema: string, text: string): Promise<readonly string[]> {
  const admin = postgres(server.url, { onnotice: () => undefined })
  const tables = await admin`SELECT table_name FROM information_schema.tables WHERE table_schema = ${schema}`
  const found: string[] = []
  for (const { table_name: table } of tables) {
    const rows = await admin.unsafe(`SELECT 1 FROM "${schema}"."${table}" AS one WHERE one::text LIKE $1 LIMIT 1`, [
      `%${text}%`,
    ])
    if (rows.length > 0) found.push(String(table))
  }
  await admin.end()
  return found
}
