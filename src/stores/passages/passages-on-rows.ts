import { randomText } from '../../host/index.ts'
import { storeFailed } from '../rows/store-client.ts'
import { checkPassages, checkQuery } from './check-passages.ts'
import type { CollectionIndex } from './collection-index.ts'
import { heldCollections } from './held-collections.ts'
import type { PassageRows } from './passage-rows.ts'
import type { CollectionRef, Passages, VectorIndex } from './passages.ts'

export interface PassagesOnRows {
  readonly vectorIndex: VectorIndex
  /** How much may be held of the collections that were searched last, about. */
  readonly heldBytes: number
  readonly remedy?: string
}

export const usualHeldBytes: number = 256 * 1024 * 1024

/** Passages of a database. What is searched in the process is read once, and then only what has changed of it. */
export function passagesOnRows(rows: PassageRows, { vectorIndex, heldBytes, remedy }: PassagesOnRows): Passages {
  const held = heldCollections(heldBytes)

  const indexOf = async (at: CollectionRef): Promise<CollectionIndex | undefined> => {
    const before = held.get(at)
    const read = await rows.read(at, before)
    if (read === 'unchanged') return before?.index
    if (read !== undefined) return held.take(at, read).index
    held.forget(at)
    return undefined
  }

  const told = async <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      return storeFailed(doing, error, remedy)
    }
  }

  return {
    vectorIndex,
    put(at, document, passages) {
      const check = (dimensions: number | undefined): void => checkPassages(passages, dimensions)
      return told('write', () => rows.put(at, { document, passages, stamp: randomText(16), check }))
    },
    drop: (at) =>
      told('write', async () => {
        await rows.drop(at)
        held.forget(at)
      }),
    dropTenant: (tenant) =>
      told('delete a tenant', async () => {
        await rows.dropTenant(tenant)
        held.forgetTenant(tenant)
      }),
    search: (at, query) =>
      told('read', async () => {
        checkQuery(query)
        const { words, vector } = query
        const byDatabase = vector === undefined ? undefined : rows.nearest?.(at, { ...query, vector })
        const isInProcess = words !== undefined || byDatabase === undefined
        const [nearest, index] = await Promise.all([byDatabase, isInProcess ? indexOf(at) : undefined])
        return { byWords: index?.byWords(query) ?? [], byVector: nearest ?? index?.byVector(query) ?? [] }
      }),
    close: () => told('close', () => rows.close()),
  }
}
