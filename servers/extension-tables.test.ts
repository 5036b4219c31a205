import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresPortable } from '../src/stores/postgres/portable-postgres.ts'
import { postgresStore } from '../src/stores/postgres/postgres-store.ts'
import { weatherCases } from '../src/stores/rows/weather-cases.fixture.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'

let server: PostgresServer
const closers: (() => Promise<void>)[] = []
beforeAll(async () => void (server = await startPostgres()))
afterAll(async () => {
  for (const close of closers) await close()
  await server.stop()
})

describe('tables of an extension in PostgreSQL', () => {
  const cases = weatherCases({
    open: (schema, tables) => postgresStore({ url: server.url, schema, tables, connections: 1 }),
    async portable(schema, tables) {
      const store = await postgresPortable(server.url, schema, tables)
      closers.push(() => store.close())
      return store
    },
    isKept: true,
  })
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('lie in the schema of the store, so that two stores of one database have their own', async () => {
    const open = (schema: string) => postgresStore({ url: server.url, schema })
    const [one, other] = [await open('closed'), await open('apart')]
    await expect(other.dropTenant('globex')).resolves.toBeDefined()
    await Promise.all([one.close(), other.close()])
  })
})
