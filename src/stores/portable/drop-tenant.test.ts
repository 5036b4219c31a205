import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sqlitePortable } from '../sqlite/portable-sqlite.ts'
import { sqliteStore } from '../sqlite/sqlite-store.ts'
import { threadedSqliteStore } from '../sqlite/thread/threaded-sqlite-store.ts'
import { openMemory } from '../memory/memory-store.ts'
import type { PortableStore } from '../kernel/portable.ts'
import { allTables } from '../tables/tables.ts'
import { fillStore, needleOf, tellAll } from './filled-store.fixture.ts'
import { exportStore } from './export-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-drop-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function exported(from: PortableStore, tenant?: string): Promise<string> {
  let text = ''
  await exportStore(from, { tenant, version: '1', write: (piece) => void (text += piece) })
  return text
}

/** The file and its log, as bytes. */
function rawOf(path: string): string {
  return [path, `${path}-wal`].map((one) => (existsSync(one) ? readFileSync(one, 'latin1') : '')).join('')
}

it('every table has rows of the tenant whom the tests delete', async () => {
  const { store, portable } = openMemory()
  await fillStore(store, 'acme')
  const rows = (await exported(portable, 'acme')).split('\n').filter((line) => line.startsWith('["'))
  for (const { name, relations } of allTables)
    for (const relation of relations)
      expect(rows, `${name}: ${relation.name}`).toContainEqual(expect.stringContaining(`["${relation.name}",`))
})

it.each(['sqlite', 'thread'])(
  'leaves no byte of a tenant that was deleted in the file, and all of the others: %s',
  async (kind) => {
    const path = join(folder, `${kind}.sqlite`)
    const store = kind === 'thread' ? await threadedSqliteStore({ path }) : sqliteStore({ path })
    for (const tenant of ['acme', 'globex', 'hooli']) await fillStore(store, tenant)
    for (const tenant of ['acme', 'globex']) {
      const session = `s1-${needleOf(tenant)}`
      const found = await store.read('originals').search({ tenant, session }, needleOf(tenant), { maxChars: 100 })
      expect(found).toHaveLength(1)
      expect(await store.read('turns').search({ tenant, session }, 'needle', 5)).not.toEqual([])
    }
    const before = await tellAll(store, ['globex', 'hooli'])
    expect(rawOf(path)).toContain(needleOf('acme'))

    const pruned = await store.dropTenant('acme')
    expect(pruned).toMatchObject({ sessions: 3, receipts: 4, keys: 1, audit: 4, object_owners: 1 })
    expect(rawOf(path)).not.toContain('needle-of-acme')
    expect(rawOf(path)).not.toContain('acme')
    expect(rawOf(path)).toContain(needleOf('globex'))
    expect(await tellAll(store, ['globex', 'hooli'])).toEqual(before)
    expect(await store.dropTenant('acme')).toEqual({})
    await fillStore(store, 'acme')
    expect(await store.read('receipts').get('acme', `r0-${needleOf('acme')}`)).toHaveProperty('input.policy.id')
    await store.close()
    expect(JSON.parse((await exported(sqlitePortable(path))).split('\n')[0] ?? '')).toMatchObject({
      tenants: ['acme', 'globex', 'hooli'],
    })
  },
)

it('leaves nothing of a tenant in memory', async () => {
  const { store, portable } = openMemory()
  for (const tenant of ['acme', 'globex']) await fillStore(store, tenant)
  const before = await tellAll(store, ['globex'])
  await store.dropTenant('acme')
  expect(await exported(portable)).not.toContain('acme')
  expect(await tellAll(store, ['globex'])).toEqual(before)
})

/** Pages that were split and joined keep copies of rows in their free room. */
it('leaves no byte in a file whose pages were filled and emptied many times', async () => {
  const path = join(folder, 'many.sqlite')
  const store = sqliteStore({ path })
  for (let at = 0; at < 150; at += 1)
    for (const tenant of ['acme', 'globex']) {
      const scope = { tenant, session: `s${at % 20}-${needleOf(tenant)}` }
      const texts = Array.from(
        { length: 1 + (at % 5) },
        (_, one) => `${needleOf(tenant)} ${at} ${'x'.repeat((at * 37 + one * 91) % 900)}`,
      )
      await store.commit({
        scope,
        nowMs: at,
        writes: [
          { table: 'originals', originals: texts.map((text, one) => ({ handle: `h${at}-${one}-${tenant}`, text })) },
          { table: 'sessions', offeredTools: [`${needleOf(tenant)}${'y'.repeat(at)}`] },
          { table: 'extension-values', key: `${needleOf(tenant)} ${at % 7}`, value: 'z'.repeat(at) },
          { table: 'audit', actor: needleOf(tenant), action: 'key.create', target: tenant, from: 'local' },
        ],
      })
    }
  await store.prune(150, { sessionIdleMs: 140, receiptAgeMs: 100, maxReceipts: 100 })
  await store.dropTenant('acme')
  expect(rawOf(path)).not.toContain('acme')
  expect(rawOf(path)).toContain(needleOf('globex'))
  await store.close()
})
