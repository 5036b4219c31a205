import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { storeContract } from '../testing/index.ts'
import type { OpenStore } from '../testing/index.ts'
import { memoryStore } from './memory/memory-store.ts'
import { sqliteStore } from './sqlite/sqlite-store.ts'
import { threadedSqliteStore } from './sqlite/thread/threaded-sqlite-store.ts'
import type { Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A store in memory has no second opener but itself. */
function shared(): OpenStore {
  const opened = new Map<string, Store>()
  return (database) => {
    const store = opened.get(database) ?? memoryStore()
    opened.set(database, store)
    return store
  }
}

const drivers: { name: string; open: OpenStore }[] = [
  { name: 'memory', open: shared() },
  { name: 'sqlite', open: (database) => sqliteStore({ path: join(folder, `${database}.db`) }) },
  {
    name: 'sqlite, on a thread of its own',
    open: (database) => threadedSqliteStore({ path: join(folder, `${database}.db`) }),
  },
  {
    name: 'sqlite, durable to the disk',
    open: (database) => sqliteStore({ path: join(folder, `${database}.db`), durability: 'power' }),
  },
]

describe.each(drivers)('store contract: $name', ({ name, open }) => {
  it.each(storeContract(name, open))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
