import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteStore } from '../sqlite-store.ts'
import { portCore } from '../../ports/port-core.ts'
import { threadedSqliteStore } from './threaded-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-thread-'))
afterAll(() => rmSync(folder, { recursive: true }))

const scope = { tenant: 'acme', session: 'shared' }
const failure = expect.objectContaining({ code: 'store-failed' })
const childOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

describe('threadedSqliteStore', () => {
  it('rejects where the file is no database, a folder, or of a newer version', async () => {
    const text = join(folder, 'text.db')
    writeFileSync(text, 'no database at all, but some text that is long enough to be read as one\n'.repeat(20))
    const newer = join(folder, 'newer.db')
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA user_version = 99')
    db.close()
    for (const path of [text, folder, newer]) await expect(threadedSqliteStore({ path })).rejects.toEqual(failure)
  })

  it('fails with its error type once it is closed', async () => {
    const store = await threadedSqliteStore({ path: join(folder, 'closed.db') })
    await store.close()
    await expect(store.read('sessions').get(scope)).rejects.toEqual(failure)
    await expect(store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions' }] })).rejects.toEqual(failure)
    await expect(store.ping()).rejects.toEqual(failure)
    await expect(store.close()).resolves.toBeUndefined()
  })

  it('does not keep its process from ending, but what was awaited is written', async () => {
    const path = join(folder, 'unclosed.db')
    const { stdout, status } = spawnSync(process.execPath, [childOf('unclosed.child.ts'), path], { encoding: 'utf8' })
    expect([stdout, status]).toEqual(['written\n', 0])
    const store = sqliteStore({ path })
    expect((await store.read('sessions').get({ ...scope, session: 's1' }))?.offeredTools).toEqual(['rehydrate'])
    await store.close()
  })

  it('is shared by threads, each with a client of its own, also after its own thread was started again', async () => {
    const started: Worker[] = []
    const noted = (worker: Worker): void => void started.push(worker)
    process.on('worker', noted)
    const store = await threadedSqliteStore({ path: join(folder, 'shared.db') })
    process.off('worker', noted)
    const client = new Worker(childOf('client.child.ts'))
    const disconnect = store.connect((port) => client.postMessage(port, [port as MessagePort]))
    const tell = async (word: string): Promise<unknown> => {
      client.postMessage(word)
      return ((await once(client, 'message')) as unknown[])[0]
    }
    for (const [turn, word] of ['one', 'two', 'three'].entries()) {
      expect(await tell(word)).toBe('done')
      expect(await store.read('sessions').get(scope)).toMatchObject({ version: 2 * turn + 1, offeredTools: [word] })
      await store.commit({
        scope,
        nowMs: 2,
        expectVersion: 2 * turn + 1,
        writes: [{ table: 'sessions', offeredTools: ['mine'] }],
      })
    }
    await started[0]?.terminate()
    await expect.poll(() => tell('four'), { timeout: 20_000 }).toBe('done')
    expect(await store.read('sessions').get(scope)).toMatchObject({ version: 7, offeredTools: ['four'] })
    disconnect()
    await client.terminate()
    await store.close()
  })

  it('a thread that does not answer is asked nothing more: who asks fails at once, and nothing piles up', async () => {
    let nowMs = 0
    const core = portCore(() => nowMs)
    const { port1, port2 } = new MessageChannel()
    const asked: unknown[] = []
    port2.on('message', (calls: readonly unknown[]) => asked.push(...calls))
    core.attach(port1)
    const waiting = core.ping()
    nowMs = 4000
    const second = core.ping()
    nowMs = 6000
    await expect(core.ping()).rejects.toThrow('does not answer')
    await expect.poll(() => asked.length).toBe(2)
    port2.postMessage([{ id: 1 }])
    await expect(waiting).resolves.toBeUndefined()
    nowMs = 8000
    const third = core.ping()
    await expect.poll(() => asked.length).toBe(3)
    port2.close()
    await expect(second).rejects.toThrow('stopped')
    await expect(third).rejects.toThrow('stopped')
    await expect(core.ping()).rejects.toThrow('not running')
  })
})
