import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openMemory } from '../memory/memory-store.ts'
import type { OpenedMemory } from '../memory/memory-store.ts'
import { sqlitePortable } from '../sqlite/portable-sqlite.ts'
import { sqliteStore } from '../sqlite/sqlite-store.ts'
import { threadedSqliteStore } from '../sqlite/thread/threaded-sqlite-store.ts'
import type { Table } from '../kernel/table.ts'
import { extensionTables, tablesOfModules } from './extension-tables.ts'
import { tableSet } from './table-set.ts'
import { fillWeather, filledWeather, told, weatherCases, weatherTables } from './weather-cases.fixture.ts'
import type { WeatherEngine } from './weather-cases.fixture.ts'
import { days, notes } from './weather-tables.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-extension-tables-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'weather.mjs')
const fixture = new URL('weather-tables.fixture.ts', import.meta.url).href
writeFileSync(path, `export { weather as default } from '${fixture}'`)
const module = pathToFileURL(path).href

function memoryEngine(): WeatherEngine {
  const opened = new Map<string, OpenedMemory>()
  const of = (database: string, tables: readonly Table[]): OpenedMemory => {
    const known = opened.get(database) ?? openMemory({ tables })
    opened.set(database, known)
    return known
  }
  return {
    open: (database, tables) => of(database, tables).store,
    portable: (database, tables) => of(database, tables).portable,
    isKept: false,
  }
}

const sqliteEngine: WeatherEngine = {
  open: (database, tables) => sqliteStore({ path: join(folder, `${database}.db`), tables }),
  portable: (database, tables) => sqlitePortable(join(folder, `${database}.db`), tables),
  isKept: true,
}

describe.each([
  ['memory', memoryEngine()],
  ['SQLite', sqliteEngine],
])('tables of an extension in %s', (_, engine) => {
  it.each(weatherCases(engine))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

describe('tables of an extension on the thread of a store', () => {
  it('are those of the modules that it imports', async () => {
    const database = join(folder, 'threaded.db')
    const store = await threadedSqliteStore({ path: database, modules: [module] })
    await fillWeather(store)
    expect(await told(store)).toEqual(filledWeather)
    await store.close()
    const again = sqliteStore({ path: database, tables: weatherTables })
    expect(await told(again)).toEqual(filledWeather)
    await again.close()
  })

  it('cannot be brought by a module that is not there: the store is not opened', async () => {
    const opening = threadedSqliteStore({ path: join(folder, 'no-module.db'), modules: ['file:///nowhere.mjs'] })
    await expect(opening).rejects.toThrow('nowhere.mjs')
  })
})

describe('a table of an extension', () => {
  it.each([
    [{ ...days, name: 'days' }, 'extension weather.tables[0].name: is "days". Begin it with weather.'],
    [{ ...days, name: 'weather.Days' }, 'extension weather.tables[0].name: is "weather.Days".'],
    [
      { ...days, relations: [{ ...days.relations[0]!, name: 'receipts' }] },
      'extension weather.tables[0].relations[0].name: is "receipts". Begin it with weather__',
    ],
    [
      { ...days, relations: [{ ...days.relations[0]!, sqlite: { table: 'receipts' } }] },
      'extension weather.tables[0].relations[0].name: is "receipts".',
    ],
    [{ ...days, encode: 3 } as never, 'extension weather.tables[0].encode: is not a function'],
  ])('has the name of its extension before its own, and is whole: %#', (table, message) => {
    expect(() => extensionTables({ name: 'weather', tables: [table as Table] })).toThrow(message)
  })

  it('is one of its name', async () => {
    expect(() => tableSet([notes, notes])).toThrow('tables: have "weather.notes" twice')
    expect(await tablesOfModules([module])).toEqual([notes, days])
  })
})
