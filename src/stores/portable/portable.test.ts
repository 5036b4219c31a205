import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { isPrehendError } from '../../core/index.ts'
import { openMemory } from '../memory/memory-store.ts'
import { sqlitePortable } from '../sqlite/portable-sqlite.ts'
import { sqliteStore } from '../sqlite/sqlite-store.ts'
import type { PortableStore } from '../kernel/portable.ts'
import { builtInTables } from '../rows/table-set.ts'
import { exportStore } from './export-store.ts'
import { fillStore, needleOf, tellAll } from './filled-store.fixture.ts'
import { importStore } from './import-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-portable-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = (): string => join(folder, `store-${(files += 1)}.sqlite`)

async function exported(from: PortableStore, tenant?: string): Promise<string> {
  let text = ''
  await exportStore(from, { tenant, version: '1.2.3', write: (piece) => void (text += piece) })
  return text
}

const bytesOf = (text: string, step = 1000) =>
  async function* () {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }

async function filled(): Promise<string> {
  const path = newFile()
  const store = sqliteStore({ path })
  await fillStore(store, 'acme')
  await fillStore(store, 'globex')
  await store.close()
  return path
}

it('takes every table from SQLite to memory and back, and all reads answer the same', async () => {
  const path = await filled()
  const first = await exported(sqlitePortable(path))
  const names = new Set(first.split('\n').flatMap((line) => (line.startsWith('[') ? [JSON.parse(line)[0]] : [])))
  expect(names).toEqual(new Set(builtInTables.relations.map(({ name }) => name)))

  const source = sqliteStore({ path })
  const told = await tellAll(source, ['acme', 'globex'])
  await source.close()
  const memory = openMemory()
  await importStore(memory.portable, bytesOf(first))
  expect(await tellAll(memory.store, ['acme', 'globex'])).toEqual(told)

  const second = await exported(memory.portable)
  const copy = newFile()
  await importStore(sqlitePortable(copy), bytesOf(second))
  const back = sqliteStore({ path: copy })
  expect(await tellAll(back, ['acme', 'globex'])).toEqual(told)
  await back.close()
  expect(await exported(sqlitePortable(copy))).toBe(second)
})

it('takes a file from SQLite to SQLite byte for byte', async () => {
  const first = await exported(sqlitePortable(await filled()))
  const copy = newFile()
  await importStore(sqlitePortable(copy), bytesOf(first, 7))
  expect(await exported(sqlitePortable(copy))).toBe(first)
})

it('takes one tenant beside others, and refuses it where it is', async () => {
  const path = await filled()
  const acme = await exported(sqlitePortable(path), 'acme')
  expect(acme).not.toContain('globex')
  const other = newFile()
  const store = sqliteStore({ path: other })
  await fillStore(store, 'initech')
  await importStore(sqlitePortable(other), bytesOf(acme))
  const source = sqliteStore({ path })
  expect(await tellAll(store, ['acme'])).toEqual(await tellAll(source, ['acme']))
  const before = await tellAll(store, ['initech', 'acme'])
  await expect(importStore(sqlitePortable(other), bytesOf(acme))).rejects.toThrow(
    /already holds data of the tenant acme/,
  )
  expect(await tellAll(store, ['initech', 'acme'])).toEqual(before)
  await fillStore(store, 'hooli')
  await Promise.all([store.close(), source.close()])
  await expect(exported(sqlitePortable(other), 'nobody')).rejects.toSatisfy(isPrehendError)
})

it.each(['sqlite', 'memory'])('refuses a file that is cut or changed, and writes nothing of it to %s', async (kind) => {
  const whole = await exported(sqlitePortable(await filled()))
  const lines = whole.trimEnd().split('\n')
  const damaged = [
    whole.slice(0, -1),
    whole.slice(0, whole.length / 2),
    `${lines.slice(0, -1).join('\n')}\n`,
    `${[...lines.slice(0, 5), ...lines.slice(6)].join('\n')}\n`,
    whole.replace('line 0', 'line 9'),
    `${whole}${lines[1]}\n`,
    whole.replace('"used_ms"', '"other_ms"'),
    '',
  ]
  const target = kind === 'sqlite' ? sqlitePortable(newFile()) : openMemory().portable
  const empty = await exported(target)
  for (const text of damaged) {
    expect(text).not.toBe(whole)
    await expect(importStore(target, bytesOf(text))).rejects.toThrow(/FILE/)
    expect(await exported(target)).toBe(empty)
  }
  await importStore(target, bytesOf(whole))
})

it('a copy by VACUUM INTO, made while the store is written to, is the store at that moment', async () => {
  const path = newFile()
  const store = sqliteStore({ path })
  await fillStore(store, 'acme')
  const [first, told] = [await exported(sqlitePortable(path)), await tellAll(store, ['acme'])]
  const copy = newFile()
  const db = new DatabaseSync(path)
  const writing = fillStore(store, 'globex')
  db.exec(`VACUUM INTO '${copy}'`)
  db.close()
  await writing
  await store.close()
  const restored = sqliteStore({ path: copy })
  expect(await tellAll(restored, ['acme'])).toEqual(told)
  await fillStore(restored, 'hooli')
  await restored.close()
  expect(await exported(sqlitePortable(copy), 'acme')).toBe(await exported(sqlitePortable(path), 'acme'))
  expect(first).toContain(needleOf('acme'))
})

it('an export is of one moment, whatever is written meanwhile', async () => {
  const path = newFile()
  const store = sqliteStore({ path })
  for (const tenant of ['acme', 'hooli', 'initech']) await fillStore(store, tenant)
  const first = await exported(sqlitePortable(path))
  let text = ''
  let pieces = 0
  let writing: Promise<void> | undefined
  const write = async (piece: string): Promise<void> => {
    text += piece
    pieces += 1
    writing ??= fillStore(store, 'globex')
    await writing
  }
  await exportStore(sqlitePortable(path), { version: '1.2.3', write })
  // The first piece came while most of the rows were still to be read.
  expect(pieces).toBeGreaterThan(2)
  expect(text).toBe(first)
  expect(await exported(sqlitePortable(path))).not.toBe(first)
  await store.close()
})
