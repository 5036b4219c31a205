import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import { memoryBlobs } from '../../stores/index.ts'
import type { Blobs } from '../../stores/index.ts'
import { blobsContract } from '../../testing/index.ts'
import { blobsOver, serveBlobs } from './blobs-port.ts'

const served = new Map<string, Blobs>()

function over(blobs: Blobs): Blobs {
  const { port1, port2 } = new MessageChannel()
  serveBlobs(blobs, port1)
  return blobsOver(port2)
}

function open(database: string): Blobs {
  const blobs = served.get(database) ?? memoryBlobs()
  served.set(database, blobs)
  return over(blobs)
}

describe('blobs over a port', () => {
  it.each(blobsContract('over a port', open))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('take no more along than their bytes, and leave those of the caller where they are', async () => {
    const pool = new Uint8Array(1_000_000).fill(7)
    let came = 0
    const blobs = over({
      ...memoryBlobs(),
      put: async (tenant, bytes) => {
        came = (bytes as Uint8Array).buffer.byteLength
        return { tenant, hash: '', sizeBytes: came }
      },
      get: async () => pool.subarray(3, 9),
    })
    await blobs.put('acme', pool.subarray(0, 10))
    expect(came).toBe(10)
    expect((await blobs.get({ tenant: 'acme', hash: '' }))?.buffer.byteLength).toBe(6)
    expect(pool).toHaveLength(1_000_000)
  })

  it('failures keep their code and their words; what waits when the port closes is told so', async () => {
    const { port1, port2 } = new MessageChannel()
    const failing: Blobs = {
      ...memoryBlobs(),
      dropTenant: () => Promise.resolve(),
      drop: () => Promise.reject(new PrehendError('store-failed', 'It is gone. Wait.', { remedy: 'Wait.' })),
      get: () => new Promise(() => undefined),
    }
    serveBlobs(failing, port1)
    const blobs = blobsOver(port2)
    const ref = { tenant: 'acme', hash: '0' }
    await expect(blobs.drop(ref)).rejects.toMatchObject({ code: 'store-failed', message: 'It is gone. Wait.' })
    const waiting = blobs.get(ref)
    port1.close()
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
    await expect(blobs.get(ref)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
