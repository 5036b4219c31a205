import type { DatabaseSync } from 'node:sqlite'

/** Small values of the installation itself. */
export interface Settings {
  get(key: string): string | undefined
  set(key: string, value: string): void
  /** Sets the value only when there is none; gives the one that stands. */
  claim(key: string, value: string): string
  remove(key: string): void
}

export function settings(db: DatabaseSync): Settings {
  const select = db.prepare('SELECT value FROM settings WHERE name = ?')
  const put = db.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const putNew = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const drop = db.prepare('DELETE FROM settings WHERE name = ?')
  const get = (key: string): string | undefined => {
    const found = select.get(key)?.['value']
    return typeof found === 'string' ? found : undefined
  }
  return {
    get,
    set: (key, value) => void put.run(key, value),
    claim(key, value) {
      putNew.run(key, value)
      return get(key) ?? value
    },
    remove: (key) => void drop.run(key),
  }
}

/** What is written, and removed, to see whether anything can be: more than a page, so that a database that cannot grow is told. */
export function trial(chars: number): { readonly key: string; readonly value: string } {
  return { key: 'trial', value: '.'.repeat(Math.min(Math.max(chars, 16_384), 16_000_000)) }
}
