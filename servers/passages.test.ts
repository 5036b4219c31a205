import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryPassages } from '../src/stores/index.ts'
import type { Passages } from '../src/stores/index.ts'
import { examinePostgresStore, postgresPassages, postgresStore } from '../src/stores/remote/index.ts'
import { passagesContract } from '../src/testing/index.ts'
import { startPglite } from './pglite.ts'
import type { PgliteServer } from './pglite.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'

let server: PostgresServer
let pglite: PgliteServer
beforeAll(async () => {
  server = await startPostgres()
  pglite = await startPglite()
})
afterAll(async () => {
  await server.stop()
  await pglite.stop()
})

const schemaOf = (database: string): string => database.replaceAll('-', '_')
const onDebian = (schema: string, heldBytes?: number): Promise<Passages> =>
  postgresPassages({ url: server.url, schema, ...(heldBytes !== undefined && { heldBytes }) })

async function onPglite(schema: string): Promise<Passages> {
  await pglite.useSchema(schema)
  return postgresPassages({ url: pglite.url, schema, connections: 1 })
}

const cases = [
  ...passagesContract('Debian PostgreSQL, bytea', (database) => onDebian(schemaOf(database))),
  ...passagesContract('Debian PostgreSQL, holding nothing', (database) => onDebian(schemaOf(database), 1)),
  ...passagesContract('PGlite, pgvector', (database) => onPglite(schemaOf(database))),
]

describe('passages in PostgreSQL', () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('say where vectors are compared, and the tables are made for it', async () => {
    const [plain, vectors] = [await onDebian('kept'), await onPglite('kept')]
    expect([plain.vectorIndex, vectors.vectorIndex]).toEqual(['in-process', 'pgvector'])
    expect([await typeOfVectors(server.url, 'kept'), await typeOfVectors(pglite.url, 'kept')]).toEqual([
      'bytea',
      'vector',
    ])
    await Promise.all([plain.close(), vectors.close()])
    const { passages } = await examinePostgresStore(server.url, 'kept')
    expect(passages).toEqual({ kept: 'bytea', hasPgvector: false })
    await pglite.useSchema('kept')
    expect((await examinePostgresStore(pglite.url, 'kept')).passages).toEqual({ kept: 'pgvector', hasPgvector: true })
  })

  it('find in pgvector what comparing every vector finds', async () => {
    const [memory, vectors] = [memoryPassages(), await onPglite('same')]
    const at = { tenant: 'acme', collection: 'many' }
    let state = 7
    const next = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state / 2 ** 31 - 0.5
    }
    const vector = (): Float32Array => Float32Array.from({ length: 64 }, next)
    for (let document = 0; document < 10; document += 1) {
      const passages = Array.from({ length: 30 }, (_, id) => ({ id: `${id}`, text: `p${id}`, vector: vector() }))
      for (const one of [memory, vectors]) await one.put(at, `d${document}`, passages)
    }
    for (let query = 0; query < 10; query += 1) {
      const asked = { vector: vector(), most: 20, ...(query % 2 === 0 && { documents: ['d1', 'd4', 'd7'] }) }
      const [one, other] = [await memory.search(at, asked), await vectors.search(at, asked)]
      const named = ({ byVector }: typeof one) => byVector.map(({ document, id }) => `${document}/${id}`)
      expect(named(other)).toEqual(named(one))
      for (const [place, { score }] of other.byVector.entries())
        expect(score).toBeCloseTo(one.byVector[place]?.score ?? 2, 5)
    }
    await vectors.close()
  })

  it.each(['Debian', 'PGlite'])('go with their tenant when the store of the same schema drops it: %s', async (on) => {
    const schema = 'dropped'
    if (on === 'PGlite') await pglite.useSchema(schema)
    const store = await postgresStore({ url: on === 'PGlite' ? pglite.url : server.url, schema, connections: 1 })
    const passages = on === 'PGlite' ? await onPglite(schema) : await onDebian(schema)
    const query = { words: 'otters', vector: Float32Array.of(1, 0), most: 5 }
    for (const tenant of ['acme', 'globex'])
      await passages.put({ tenant, collection: 'notes' }, 'animals', [
        { id: '1', text: 'Otters sleep.', vector: Float32Array.of(1, 0) },
      ])
    await store.dropTenant('acme')
    expect(await passages.search({ tenant: 'acme', collection: 'notes' }, query)).toEqual({ byWords: [], byVector: [] })
    const other = await passages.search({ tenant: 'globex', collection: 'notes' }, query)
    expect([other.byWords.length, other.byVector.length]).toEqual([1, 1])
    await Promise.all([store.close(), passages.close()])
  })

  it.each(['create', 'use'])('are kept as bytes by a role that may not %s pgvector', async (may) => {
    const own = await startPglite()
    if (may === 'use') await own.run('CREATE SCHEMA hidden; CREATE EXTENSION vector SCHEMA hidden')
    await own.run('CREATE ROLE guest; CREATE SCHEMA guests AUTHORIZATION guest; SET ROLE guest')
    await own.useSchema('guests')
    const passages = await postgresPassages({ url: own.url, schema: 'guests', connections: 1 })
    expect(passages.vectorIndex).toBe('in-process')
    expect((await examinePostgresStore(own.url, 'guests')).passages).toEqual({ kept: 'bytea', hasPgvector: true })
    await passages.close()
    await own.stop()
  })

  it('are made once by processes that open at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => onDebian('at_once')))
    await all[0]?.put({ tenant: 'acme', collection: 'notes' }, 'a', [{ id: '1', text: 'Otters.' }])
    const found = await all[3]?.search({ tenant: 'acme', collection: 'notes' }, { words: 'otters', most: 1 })
    expect(found?.byWords).toHaveLength(1)
    await Promise.all(all.map((one) => one.close()))
  })

  it('that a newer version has made are refused in one clear line', async () => {
    await (await onDebian('newer')).close()
    const admin = postgres(server.url, { onnotice: () => undefined })
    await admin`UPDATE newer.table_versions SET version = 9 WHERE name = 'passages'`
    await admin.end()
    await expect(onDebian('newer')).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('its passages have schema 9, this version knows 1'),
    })
  })
})

async function typeOfVectors(url: string, schema: string): Promise<unknown> {
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  const [row] = await admin`SELECT udt_name FROM information_schema.columns
    WHERE table_schema = ${schema} AND table_name = 'passages__texts' AND column_name = 'vector'`
  await admin.end()
  return row?.['udt_name']
}
