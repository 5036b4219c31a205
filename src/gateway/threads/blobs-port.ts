import { MessageChannel, MessagePort } from 'node:worker_threads'
import { portCalls, sha256 } from '../../host/index.ts'
import { gatherBytes } from '../../stores/index.ts'
import type { BlobRef, Blobs } from '../../stores/index.ts'
import { blobsAt } from '../configured-blobs.ts'
import type { BlobsPlace, OpenedBlobs } from '../configured-blobs.ts'
import { toPrehendError } from '../outlet/respond.ts'
import { receivedError, sentError } from '../../core/index.ts'
import type { SentError } from '../../core/index.ts'
import { threadEnded } from './thread-ended.ts'

type Call = {
  readonly [Method in keyof Blobs]: {
    readonly id: number
    readonly method: Method
    readonly given: Parameters<Blobs[Method]>
  }
}[keyof Blobs]

type Answer = { readonly id: number; readonly value?: unknown; readonly error?: SentError }

/** How a thread gets at the blobs of a gateway. */
export interface BlobsForThread {
  readonly given: BlobsPlace | MessagePort
  readonly handedOver: readonly MessagePort[]
  close(): void
}

/** The place, which a thread opens for itself; or a port, where only this thread has the blobs. */
export function blobsFor({ blobs, place }: OpenedBlobs): BlobsForThread {
  if (place) return { given: place, handedOver: [], close: () => undefined }
  const { port1, port2 } = new MessageChannel()
  serveBlobs(blobs, port1)
  return { given: port2, handedOver: [port2], close: () => port1.close() }
}

export async function blobsOfThread(given: BlobsPlace | MessagePort): Promise<Blobs> {
  return given instanceof MessagePort ? blobsOver(given) : blobsAt(given)
}

/** Answers for blobs to another thread, until the port is closed. */
export function serveBlobs(blobs: Blobs, port: MessagePort): void {
  port.on('message', (call: Call) => {
    void answered(blobs, call).then(
      (value) => port.postMessage({ id: call.id, value } satisfies Answer),
      (error: unknown) => port.postMessage({ id: call.id, error: sentError(toPrehendError(error)) } satisfies Answer),
    )
  })
  port.unref()
}

async function answered(blobs: Blobs, call: Call): Promise<unknown> {
  if (call.method === 'put') return blobs.put(...call.given)
  if (call.method === 'get') return (await blobs.get(...call.given))?.slice()
  if (call.method === 'drop') return blobs.drop(...call.given)
  return blobs.dropTenant(...call.given)
}

/** The blobs of another thread, by a port to it. Bytes are copied. */
export function blobsOver(port: MessagePort): Blobs {
  const calls = portCalls((message) => port.postMessage(message), threadEnded)
  const ask = (method: keyof Blobs, ...given: readonly unknown[]): Promise<unknown> => calls.ask({ method, given })
  port.on('message', ({ id, value, error }: Answer) => {
    const asked = calls.take(id)
    if (error) asked?.reject(receivedError(error))
    else asked?.resolve(value)
  })
  port.on('close', () => calls.end())
  port.unref()
  return {
    async put(tenant, given, { beforeStored } = {}) {
      // A part of a larger array would take all of it along.
      const bytes = given instanceof Uint8Array ? given.slice() : await gatherBytes(given)
      if (beforeStored) await beforeStored({ tenant, hash: sha256(bytes), sizeBytes: bytes.length })
      return (await ask('put', tenant, bytes)) as BlobRef
    },
    get: async ({ tenant, hash }, range) => (await ask('get', { tenant, hash }, range)) as Uint8Array | undefined,
    dropTenant: async (tenant) => void (await ask('dropTenant', tenant)),
    drop: async ({ tenant, hash }) => void (await ask('drop', { tenant, hash })),
  }
}
