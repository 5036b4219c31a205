import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { folderBlobs, memoryBlobs, memoryStore, sqliteStore, threadedSqliteStore } from '../stores/index.ts'
import { openBlobs, tryBlobs } from './configured-blobs.ts'
import { openGateway, parseConfig } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-blobs-place-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bytes = new TextEncoder().encode('some bytes')

describe('the blobs of a gateway', () => {
  it('lie beside the file of the store, which is made with the first blob', async () => {
    for (const open of [sqliteStore, threadedSqliteStore]) {
      const own = join(folder, open.name)
      mkdirSync(own)
      const store = await open({ path: join(own, 'prehend.db') })
      const { blobs } = await openBlobs({}, { store })
      expect(readdirSync(own)).not.toContain('blobs')
      const ref = await blobs.put('acme', bytes)
      await store.close()
      expect(await folderBlobs(join(own, 'blobs')).get(ref)).toEqual(bytes)
    }
  })

  it('are of the process where the store has no file', async () => {
    const stores = [memoryStore(), sqliteStore({ path: ':memory:' }), await threadedSqliteStore({ path: ':memory:' })]
    for (const store of stores) {
      const { blobs, place } = await openBlobs({}, { store })
      expect(place).toBeUndefined()
      expect(await blobs.get(await blobs.put('acme', bytes))).toEqual(bytes)
      await store.close()
    }
  })

  it("are the host's before those of the configuration, and the configuration's before the store's", async () => {
    const store = sqliteStore({ path: join(folder, 'both.db') })
    const blobs = memoryBlobs()
    const named = { blobs: join(folder, 'named') }
    expect(await openBlobs(named, { store, blobs })).toEqual({ blobs, place: undefined })
    expect(await openBlobs(named, { store })).toMatchObject({ place: { kind: 'folder', folder: named.blobs } })
    await store.close()
  })

  it('a configured folder is tried, and left as it was', async () => {
    const named = join(folder, 'tried')
    mkdirSync(named)
    expect(await tryBlobs(named)).toMatchObject({ shown: `the folder ${named}` })
    expect(readdirSync(named)).toEqual([])
  })

  it('one that cannot be used ends the start with one line', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const config = parseConfig({ port: 0, blobs: file })
    await expect(openGateway(config, { store: memoryStore() })).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringMatching(/^The folder of blobs .* cannot be used: ENOTDIR[^\n]*$/),
    })
  })

  it('stay while the gateway runs', async () => {
    const gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore() })
    await expect(gateway.reload(parseConfig({ port: 0, blobs: folder }))).rejects.toThrow(
      'blobs: cannot change while the gateway runs',
    )
    await gateway.close(0)
  })
})
