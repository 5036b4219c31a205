import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { transactions } from './transactions.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-transactions-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a lock is waited for once, and for all that want to write meanwhile: after that they fail at once', async () => {
  const path = join(folder, 'store.db')
  const holder = new DatabaseSync(path)
  holder.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)')
  const db = new DatabaseSync(path, { timeout: 0 })
  let begins = 0
  let told = 0
  const counted = new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        if (String(given[0]).startsWith('BEGIN')) begins += 1
        return Reflect.apply(member, target, given)
      }
    },
  })
  const options = { whenBusy: () => void (told += 1) }
  const patient = transactions(counted, { ...options, patience: { lockMs: 30, restMs: 3_600_000 } })
  const write = (text: string) => () => void db.prepare('INSERT INTO notes VALUES (?)').run(text)
  holder.exec('BEGIN IMMEDIATE')
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => patient.run(write(`${index}`))))
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'))
  const tries = begins
  expect(tries).toBeGreaterThan(1)
  expect(told).toBe(1)
  // A rest that lasts: whoever comes now is not even tried.
  await expect(patient.run(write('later'))).rejects.toThrow('locked')
  expect(begins).toBe(tries)
  holder.exec('COMMIT')
  const rested = transactions(counted, { ...options, patience: { lockMs: 30, restMs: 0 } })
  await rested.run(write('free'))
  expect(db.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'free' }])
  db.close()
  holder.close()
})
