import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blobsContract } from '../../testing/index.ts'
import type { Blobs } from './blobs.ts'
import { folderBlobs } from './folder-blobs.ts'
import { memoryBlobs } from './memory-blobs.ts'
import { probeBlobs } from './probe-blobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-blobs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const held = new Map<string, Blobs>()
const inMemory = (database: string): Blobs => {
  const blobs = held.get(database) ?? memoryBlobs()
  held.set(database, blobs)
  return blobs
}

const cases = [
  ...blobsContract('memory', inMemory),
  ...blobsContract('folder', (database) => folderBlobs(join(folder, database))),
]

describe('blobs', () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('a probe leaves nothing behind, and says where what was written cannot be read', async () => {
    const put: string[] = []
    const noting = (blobs: Blobs): Blobs => ({
      ...blobs,
      put: async (tenant, bytes) => {
        const ref = await blobs.put(tenant, bytes)
        put.push(ref.hash)
        return ref
      },
    })
    const blobs = noting(memoryBlobs())
    await probeBlobs(blobs)
    await probeBlobs(blobs)
    expect(new Set(put).size).toBe(2)
    for (const hash of put) expect(await blobs.get({ tenant: 'prehend probe', hash })).toBeUndefined()
    const forgetful: Blobs = { ...memoryBlobs(), get: async () => undefined }
    await expect(probeBlobs(forgetful)).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('a blob that was just written is not there'),
    })
  })

  it('in a folder: what a process that died has left goes after an hour', async () => {
    const own = join(folder, 'left')
    const text = (words: string): Uint8Array => new TextEncoder().encode(words)
    await folderBlobs(own).put('acme', text('first'))
    const [tenant = ''] = readdirSync(own)
    const [old, young] = ['old.part', 'young.part'].map((name) => join(own, tenant, name)) as [string, string]
    for (const path of [old, young]) writeFileSync(path, 'half')
    utimesSync(old, new Date(0), new Date(Date.now() - 3_601_000))
    await folderBlobs(own).put('acme', text('second'))
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  })

  it('in a folder: for one user alone, no file is half-written, and damage is noticed', async () => {
    const own = join(folder, 'own')
    const blobs = folderBlobs(own)
    const ref = await blobs.put('acme', new TextEncoder().encode('a secret'))
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' }).map((name) => join(own, name))
    const [path] = files.filter((name) => name.endsWith(ref.hash))
    expect(files.some((name) => name.endsWith('.part') || name.includes('acme'))).toBe(false)
    expect(statSync(path!).mode & 0o077).toBe(0)
    writeFileSync(path!, 'another')
    await expect(blobs.get(ref)).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('damaged'),
    })
    await expect(blobs.get({ tenant: 'acme', hash: '../../etc/passwd' })).rejects.toMatchObject({
      code: 'store-failed',
    })
  })
})
