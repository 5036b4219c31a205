import { expect } from 'vitest'
import { exportStore } from '../portable/export-store.ts'
import { importStore } from '../portable/import-store.ts'
import type { PortableStore } from '../kernel/portable.ts'
import type { Table, TypesOf } from '../kernel/table.ts'
import type { Store } from '../store.ts'
import { tableView } from './table-view.ts'
import { days, notes, weather } from './weather-tables.fixture.ts'
import type { DayTypes } from './weather-tables.fixture.ts'

/** Databases of an engine, by their names. */
export interface WeatherEngine {
  /** Opens one with the tables of the extension, or without. */
  open(database: string, tables: readonly Table[]): Promise<Store> | Store
  portable(database: string, tables: readonly Table[]): Promise<PortableStore> | PortableStore
  /** Whether a database outlives whoever has opened it. */
  readonly isKept: boolean
}

export const weatherTables: readonly Table[] = weather.tables

const acme = { tenant: 'acme', session: '', lane: '' }
const globex = { tenant: 'globex', session: '', lane: '' }

type NoteTypes = TypesOf<typeof notes>

export function viewsOf(store: Store, clock: () => number) {
  return {
    days: tableView<DayTypes>(store, days.name, clock)!,
    notes: tableView<NoteTypes>(store, notes.name, clock)!,
  }
}

/** Writes to both tables, for two tenants. */
export async function fillWeather(store: Store, nowMs = 1000): Promise<void> {
  const views = viewsOf(store, () => nowMs)
  await views.days.write(acme, { day: 2, degrees: 21.5 }, { day: 1, degrees: 30 }, { day: 3, degrees: 4 })
  await views.days.write(globex, { day: 1, degrees: 25 })
  await views.notes.write(acme, { key: 'a', value: { text: 'It rains.' } })
  await views.notes.write(globex, { key: 'a', value: { text: 'It shines.' } })
}

export async function told(store: Store): Promise<unknown> {
  const { days: ofDays, notes: ofNotes } = viewsOf(store, () => 0)
  const of = async (tenant: string) => [await ofDays.read.warmer(tenant, 20), await ofNotes.read.get(tenant, 'a')]
  return { acme: await of('acme'), globex: await of('globex') }
}

export const filledWeather = {
  acme: [
    [
      { day: 1, degrees: 30 },
      { day: 2, degrees: 21.5 },
    ],
    { value: { text: 'It rains.' }, writtenMs: 1000 },
  ],
  globex: [[{ day: 1, degrees: 25 }], { value: { text: 'It shines.' }, writtenMs: 1000 }],
}

const nothing = [[], undefined]
const retention = { sessionIdleMs: 500, receiptAgeMs: 500, maxReceipts: 10 }

export async function exportedWeather(from: PortableStore, tenant?: string): Promise<string> {
  let text = ''
  await exportStore(from, { tenant, version: '1', write: (piece) => void (text += piece) })
  return text
}

export const bytesOf = (text: string) =>
  async function* () {
    yield Buffer.from(text)
  }

/** What every engine does with tables of an extension. */
export function weatherCases({ open, portable, isKept }: WeatherEngine) {
  const cases: Record<string, () => Promise<void>> = {
    async 'are written and read beside the built-in ones, each tenant apart'() {
      const store = await open('written', weatherTables)
      await fillWeather(store)
      expect(await told(store)).toEqual(filledWeather)
      await store.close()
    },
    async 'are pruned'() {
      const store = await open('pruned', weatherTables)
      await fillWeather(store)
      expect(await store.prune(1400, retention)).toMatchObject({})
      expect(await told(store)).toEqual(filledWeather)
      expect(await store.prune(1600, retention)).toMatchObject({ 'weather.days': 4, 'weather.notes': 2 })
      expect(await told(store)).toEqual({ acme: nothing, globex: nothing })
      await store.close()
    },
    async 'are deleted with their tenant, and with no other'() {
      const store = await open('dropped', weatherTables)
      await fillWeather(store)
      await store.dropTenant('acme')
      expect(await told(store)).toEqual({ ...filledWeather, acme: nothing })
      await store.close()
    },
    async 'are there in stores that were opened with them alone'() {
      const store = await open('without', [])
      expect(tableView(store, 'weather.days')).toBeUndefined()
      const write = { table: 'weather.days', day: 1, degrees: 1 } as never
      await expect(store.commit({ scope: acme, nowMs: 1, writes: [write] })).rejects.toThrow(
        'there is no table weather.days',
      )
      await store.close()
    },
    async 'are exported and imported, also of one tenant'() {
      const store = await open('exported', weatherTables)
      await fillWeather(store)
      if (isKept) await store.close()
      const whole = await exportedWeather(await portable('exported', weatherTables))
      const first = await exportedWeather(await portable('exported', weatherTables), 'acme')
      await importStore(await portable('imported', weatherTables), bytesOf(whole))
      expect(await exportedWeather(await portable('imported', weatherTables))).toBe(whole)
      await importStore(await portable('one', weatherTables), bytesOf(first))
      const one = await open('one', weatherTables)
      expect(await told(one)).toEqual({ ...filledWeather, globex: nothing })
      await one.close()
      await expect(importStore(await portable('refused', []), bytesOf(whole))).rejects.toThrow(
        /has the table weather__\w+ of an extension that is not open here. Import it with the extension weather/,
      )
    },
  }
  const kept: typeof cases = {
    async 'are brought up to date when the extension has a newer version, and keep what they hold'() {
      const older = { ...days, sqlite: { ...days.sqlite, migrations: days.sqlite.migrations?.slice(0, 1) ?? [] } }
      const ofServer = { ...days.postgres, migrations: days.postgres.migrations?.slice(0, 1) ?? [] }
      // The older version has no statements for the new column.
      const unread = { open: () => ({ reads: { warmer: () => [] }, apply: () => undefined }) }
      const before = { ...older, sqlite: { ...older.sqlite, ...unread }, postgres: ofServer } as Table
      await (await open('grown', [notes, before])).close()
      const store = await open('grown', weatherTables)
      await fillWeather(store)
      expect(await told(store)).toEqual(filledWeather)
      await store.close()
      await expect((async () => open('grown', [notes, before]))()).rejects.toThrow(
        'its table weather.days has schema 2, this version knows 1',
      )
    },
    async 'stay while the extension is not open; their rows go with their tenant all the same, and no export leaves them out'() {
      const store = await open('closed', weatherTables)
      await fillWeather(store)
      await store.close()
      const without = await open('closed', [])
      await without.dropTenant('acme')
      await without.close()
      await expect(exportedWeather(await portable('closed', []))).rejects.toThrow(
        /has the table weather\.\w+ of the extension weather, which is not open/,
      )
      const again = await open('closed', weatherTables)
      expect(await told(again)).toEqual({ ...filledWeather, acme: nothing })
      await again.close()
    },
  }
  return Object.entries(isKept ? { ...cases, ...kept } : cases).map(([name, run]) => ({ name, run }))
}
