import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { storeContract } from '../testing/index.ts'
import { memoryStore } from './index.ts'
import type { Store } from './index.ts'

/** A driver in one file: a journal of everything that was written, read again by whoever opens it. It knows no table. */
function journalStore(path: string): Store {
  const memory = memoryStore()
  const writers = { commit: memory.commit, prune: memory.prune, dropTenant: memory.dropTenant }
  let read = 0

  /** What others have written since. */
  const catchUp = async (): Promise<void> => {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
    const news = lines.slice(read)
    read = lines.length
    for (const line of news) {
      const [name, given] = JSON.parse(line) as [keyof typeof writers, never[]]
      await Reflect.apply(writers[name], memory, given)
    }
  }
  const written = <Name extends keyof typeof writers>(name: Name): Store[Name] => {
    const write = async (...given: unknown[]): Promise<unknown> => {
      await catchUp()
      const result: unknown = await Reflect.apply(writers[name], memory, given)
      appendFileSync(path, `${JSON.stringify([name, given])}\n`)
      read += 1
      return result
    }
    return write as Store[Name]
  }
  const caughtUp = <Reads extends object>(reads: Reads): Reads =>
    Object.fromEntries(
      Object.entries(reads).map(([name, ask]) => {
        const asked = async (...given: unknown[]): Promise<unknown> => {
          await catchUp()
          return Reflect.apply(ask as () => unknown, reads, given)
        }
        return [name, asked] as const
      }),
    ) as Reads
  return {
    commit: written('commit'),
    prune: written('prune'),
    dropTenant: written('dropTenant'),
    read: (table) => caughtUp(memory.read(table)),
    ping: memory.ping,
    close: memory.close,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a new driver is one file that keeps the contract', () => {
  it.each(storeContract('journal', (name) => journalStore(join(folder, name))))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
