import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { storeFailed } from '../rows/store-client.ts'

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

it('a write that fails because there is no room says so in a member of its error', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA max_page_count = 3; CREATE TABLE rows (text TEXT)')
  const insert = database.prepare('INSERT INTO rows VALUES (?)')
  const cause = thrownBy(() => insert.run('x'.repeat(100_000)))
  expect(thrownBy(() => storeFailed('write', cause))).toMatchObject({ code: 'store-failed', data: { cause: 'full' } })
  const other = thrownBy(() => database.exec('INSERT INTO missing VALUES (1)'))
  expect(thrownBy(() => storeFailed('write', other))).not.toHaveProperty('data.cause')
  database.close()
})
