// The least a proxy can do that keeps records: reads each body as JSON, writes what is new of it and a short receipt to SQLite
// on a thread of its own, waits for that, and copies bytes in and out. It decides nothing.
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
import { Pool } from 'undici'
import { forward } from './forward.ts'

type Row = readonly [hash: string, text: string, receipt: string]

if (isMainThread) serve()
else keep()

function serve(): void {
  const [, , port, origin = ''] = process.argv
  const pool = new Pool(origin, { pipelining: 1 })
  const commit = committer()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (data: Buffer) => void chunks.push(data))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      JSON.parse(body.toString())
      const text = newIn(body)
      const hash = createHash('sha256').update(text).digest('hex')
      const receipt = JSON.stringify({ hash, at: Date.now(), headers: request.headers })
      commit([hash, text, receipt], () => forward(pool, { request, response, body }, () => commit([hash, '', ''])))
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
}

/** Bodies by how they begin: the last of them, at most so many. */
const seen = new Map<string, Buffer>()
const mostSeen = 200
/** What closes a body and stands elsewhere in the next. */
const closing = 2

/** What a body adds to the one that it goes on from. */
function newIn(body: Buffer): string {
  const beginning = body.toString('latin1', 0, 400)
  const before = seen.get(beginning)
  seen.delete(beginning)
  seen.set(beginning, body)
  const [oldest = ''] = seen.keys()
  if (seen.size > mostSeen) seen.delete(oldest)
  const known = (before?.length ?? 0) - closing
  const canGoOn = before !== undefined && known > 0 && body.length >= known
  const goesOn = canGoOn && before.compare(body, 0, known, 0, known) === 0
  return body.toString('utf8', goesOn ? known : 0)
}

/** Rows go to the thread together while it is busy with those before. */
function committer(): (row: Row, done?: () => void) => void {
  const worker = new Worker(new URL(import.meta.url))
  let rows: Row[] = []
  let waiting: (() => void)[] = []
  let written: (() => void)[] | undefined
  const send = (): void => {
    if (written || rows.length === 0) return
    worker.postMessage(rows)
    written = waiting
    rows = []
    waiting = []
  }
  worker.on('message', () => {
    const all = written ?? []
    written = undefined
    send()
    for (const done of all) done()
  })
  return (row, done = () => undefined) => {
    rows.push(row)
    waiting.push(done)
    if (rows.length === 1) setImmediate(send)
  }
}

function keep(): void {
  const db = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'recorder-bench-')), 'store.db'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec('CREATE TABLE receipts (id INTEGER PRIMARY KEY, hash TEXT, text TEXT, receipt TEXT)')
  const insert = db.prepare('INSERT INTO receipts (hash, text, receipt) VALUES (?, ?, ?)')
  parentPort?.on('message', (rows: readonly Row[]) => {
    db.exec('BEGIN')
    for (const row of rows) insert.run(...row)
    db.exec('COMMIT')
    parentPort?.postMessage(rows.length)
  })
}
