import type { DatabaseSync } from 'node:sqlite'
import { escaped, restored } from '../kernel/escape.ts'
import type { DocumentChange, PassageRows, ReadDocument } from '../passages/passage-rows.ts'
import type { CollectionRef, StoredPassage } from '../passages/passages.ts'
import { bytesOfVector, valueBytes, vectorOfBytes } from '../passages/vector-bytes.ts'
import { transactions, usualPatience } from './transactions.ts'

const below = 'WHERE tenant = ? AND collection = ?'
const tables = ['passages__collections', 'passages__documents', 'passages__texts'] as const

/** Passages in the tables of an open database. */
export function sqlitePassageRows(db: DatabaseSync): PassageRows {
  const { run, read } = transactions(db, { patience: usualPatience, whenBusy: () => undefined })
  const passagesOf = passageReader(db)
  const collections = db.prepare(`SELECT stamp FROM passages__collections ${below}`)
  const documents = db.prepare(`SELECT document, stamp FROM passages__documents ${below}`)
  return {
    put: (at, change) => run(() => putDocument(db, at, change)),
    drop: (at) =>
      run(() => {
        const { tenant, collection } = keyOf(at)
        for (const table of tables) db.prepare(`DELETE FROM ${table} ${below}`).run(tenant, collection)
      }),
    dropTenant: (tenant) =>
      run(() => {
        for (const table of tables) db.prepare(`DELETE FROM ${table} WHERE tenant = ?`).run(escaped(tenant))
      }),
    read: (at, held) =>
      read(() =>
        inOneState(db, () => {
          const { tenant, collection } = keyOf(at)
          const stamp = textIn(collections.get(tenant, collection), 'stamp')
          if (stamp === undefined) return undefined
          if (stamp === held?.stamp) return 'unchanged'
          const found = documents.all(tenant, collection).map((row): readonly [string, ReadDocument] => {
            const [document, own] = [restored(String(row['document'])), String(row['stamp'])]
            const isHeld = held?.documents.get(document) === own
            return [document, { stamp: own, ...(!isHeld && { passages: passagesOf(at, document) }) }]
          })
          return { stamp, documents: new Map(found) }
        }),
      ),
    close: async () => {
      if (db.isOpen) db.close()
    },
  }
}

/** Within the caller's transaction. */
function putDocument(db: DatabaseSync, at: CollectionRef, { passages, stamp, check, ...change }: DocumentChange): void {
  const { tenant, collection } = keyOf(at)
  const document = escaped(change.document)
  const one = db.prepare(
    `SELECT length(vector) AS bytes FROM passages__texts ${below} AND document <> ? AND vector IS NOT NULL LIMIT 1`,
  )
  const other = one.get(tenant, collection, document)
  check(other && Number(other['bytes']) / valueBytes)
  for (const table of ['passages__documents', 'passages__texts'])
    db.prepare(`DELETE FROM ${table} ${below} AND document = ?`).run(tenant, collection, document)
  db.prepare('INSERT OR REPLACE INTO passages__collections VALUES (?, ?, ?)').run(tenant, collection, stamp)
  if (passages.length === 0) return
  db.prepare('INSERT INTO passages__documents VALUES (?, ?, ?, ?)').run(tenant, collection, document, stamp)
  const add = db.prepare('INSERT INTO passages__texts VALUES (?, ?, ?, ?, ?, ?)')
  for (const { id, text, vector } of passages)
    add.run(tenant, collection, document, escaped(id), escaped(text), vector ? bytesOfVector(vector) : null)
}

function passageReader(db: DatabaseSync): (at: CollectionRef, document: string) => readonly StoredPassage[] {
  const texts = db.prepare(`SELECT id, text, vector FROM passages__texts ${below} AND document = ?`)
  return (at, document) => {
    const { tenant, collection } = keyOf(at)
    return texts.all(tenant, collection, escaped(document)).map((row) => {
      const { vector } = row
      const known = vector instanceof Uint8Array ? { vector: vectorOfBytes(vector) } : {}
      return { id: restored(String(row['id'])), text: restored(String(row['text'])), ...known }
    })
  }
}

/** Reads everything from one state of the file. It may stand within a transaction that has just begun. */
function inOneState<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('SAVEPOINT passages')
  try {
    return work()
  } finally {
    db.exec('RELEASE passages')
  }
}

function keyOf({ tenant, collection }: CollectionRef): CollectionRef {
  return { tenant: escaped(tenant), collection: escaped(collection) }
}

function textIn(row: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  return row === undefined ? undefined : String(row[name])
}
