import { MessageChannel, MessagePort } from 'node:worker_threads'
import { PassingMap } from '../../host/index.ts'
import { gatherBytes } from '../../stores/index.ts'
import type { Blobs } from '../../stores/index.ts'
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
  const pending = new PassingMap<number, PromiseWithResolvers<unknown>>()
  let ids = 0
  const ask = <Value>(method: keyof Blobs, ...given: readonly unknown[]): Promise<Value> => {
    const asked = Promise.withResolvers<unknown>()
    pending.set((ids += 1), asked)
    port.postMessage({ id: ids, method, given })
    return asked.promise as Promise<Value>
  }
  port.on('message', ({ id, value, error }: Answer) => {
    const asked = pending.get(id)
    pending.delete(id)
    if (error) asked?.reject(receivedError(error))
    else asked?.resolve(value)
  })
  port.on('close', () => {
    for (const { reject } of pending.values()) reject(threadEnded())
  })
  port.unref()
  return {
    // A part of a larger array would take all of it along.
    put: async (tenant, bytes) =>
      ask('put', tenant, bytes instanceof Uint8Array ? bytes.slice() : await gatherBytes(bytes)),
    get: ({ tenant, hash }, range) => ask('get', { tenant, hash }, range),
    dropTenant: (tenant) => ask('dropTenant', tenant),
    drop: ({ tenant, hash }) => ask('drop', { tenant, hash }),
  }
}
