import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { passagesContract } from '../../testing/index.ts'
import { sqlitePassages } from '../sqlite/sqlite-passages.ts'
import { sqliteStore } from '../sqlite/sqlite-store.ts'
import { memoryPassages } from './memory-passages.ts'
import type { Passages } from './passages.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-passages-'))
afterAll(() => rmSync(folder, { recursive: true }))

const held = new Map<string, Passages>()
const inMemory = (database: string): Passages => {
  const passages = held.get(database) ?? memoryPassages()
  held.set(database, passages)
  return passages
}
const inSqlite = (database: string): Passages => sqlitePassages({ path: join(folder, `${database}.sqlite`) })
/** Nothing stays held between two searches. */
const heldByNobody = (database: string): Passages =>
  sqlitePassages({ path: join(folder, `${database}.sqlite`), heldBytes: 1 })

const cases = [
  ...passagesContract('memory', inMemory),
  ...passagesContract('sqlite', inSqlite),
  ...passagesContract('sqlite, holding nothing', heldByNobody),
]

const at = { tenant: 'acme', collection: 'notes' }
const query = { words: 'otters', vector: Float32Array.of(1, 0), most: 5 }
const otters = [{ id: '1', text: 'Otters sleep.', vector: Float32Array.of(1, 0) }]

describe('passages', () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('in the file of a store go with their tenant, and those of others stay', async () => {
    const path = join(folder, 'store.sqlite')
    const store = sqliteStore({ path })
    const passages = sqlitePassages({ path })
    const other = { ...at, tenant: 'globex' }
    for (const place of [at, other]) await passages.put(place, 'animals', otters)
    expect((await passages.search(at, query)).byWords).toHaveLength(1)
    await store.dropTenant('acme')
    expect(await passages.search(at, query)).toEqual({ byWords: [], byVector: [] })
    expect((await passages.search(other, query)).byVector).toHaveLength(1)
    await Promise.all([store.close(), passages.close()])
  })

  it('are still there when the file is opened again', async () => {
    const path = join(folder, 'again.sqlite')
    const first = sqlitePassages({ path })
    await first.put(at, 'animals', otters)
    await first.close()
    const second = sqlitePassages({ path })
    expect(second.vectorIndex).toBe('in-process')
    expect((await second.search(at, query)).byVector).toEqual([
      { document: 'animals', id: '1', text: 'Otters sleep.', score: 1 },
    ])
    await second.close()
  })

  it('are not written into the database of another program', () => {
    const path = join(folder, 'foreign.sqlite')
    const db = new DatabaseSync(path)
    db.exec('CREATE TABLE theirs (id INTEGER)')
    db.close()
    expect(() => sqlitePassages({ path })).toThrow(/is a database of another program/)
  })

  it('a database that is closed fails as a store does', async () => {
    const passages = sqlitePassages({ path: ':memory:' })
    await passages.close()
    await expect(passages.put(at, 'animals', otters)).rejects.toMatchObject({ code: 'store-failed' })
  })
})
