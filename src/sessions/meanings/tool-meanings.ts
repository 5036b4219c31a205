import { perObject, perObjectAndKey } from '../../core/index.ts'
import { embeddedQuery, embeddedTool } from '../../tools/index.ts'
import type { QueryMeaning } from '../../tools/index.ts'
import { timely } from '../within-deadline.ts'
import { fillShelf, mostTexts } from './fill-shelf.ts'
import { vectorKey } from './kept-vectors.ts'
import type { EmbeddedTool, Meanings, TenantEmbedder } from './meanings.ts'
import { queryVector } from './query-vector.ts'
import { isPaused, vectorShelves } from './vector-shelf.ts'
import type { MeaningHost, VectorShelf } from './vector-shelf.ts'

export interface MeaningsOptions extends MeaningHost {
  /** Undefined where nothing of a tenant may be embedded. */
  readonly embedderOf: (tenant: string) => TenantEmbedder | undefined
  /** How long a request waits for the vector of its query. */
  readonly waitMs: number
}

/** How long a request waits for an embedder, and how long this may take, where nobody says otherwise. */
export const usualMeaningLimits = { waitMs: 150, timeoutMs: 10_000 } as const

/** Vectors of tools as sessions and registries search by them: made once for each text, in the background. */
export function toolMeanings({ embedderOf, waitMs, ...host }: MeaningsOptions): Meanings {
  const shelves = vectorShelves()
  const shelfOf = (tenant: string): VectorShelf | undefined => {
    const by = embedderOf(tenant)
    return by && shelves.of(tenant, by)
  }
  const fill = (shelf: VectorShelf): void => {
    shelf.filling ??= fillShelf(host, shelf).finally(() => {
      shelf.filling = undefined
      shelves.bound()
      // What came in as the last batch ended.
      if (shelf.waiting.size > 0 && !shelf.isGone) fill(shelf)
    })
  }
  /** The key of each tool; has vectors made for those that have none. */
  const prepared = (shelf: VectorShelf, tools: readonly EmbeddedTool[]): readonly string[] => {
    const { model } = shelf.by
    const keys = tools.map((tool) => knownKey(tool, model, () => vectorKey(model, textOf(tool))))
    const missing = tools.flatMap((tool, at) => {
      const key = keys[at] ?? ''
      return shelf.vectors.get(key) ? [] : [[key, textOf(tool)] as const]
    })
    if (missing.length === 0) return keys
    host.watch.counted('tool', isPaused(host, shelf) ? 'paused' : 'missing', missing.length)
    if (isPaused(host, shelf)) return keys
    for (const [key, text] of missing) if (shelf.waiting.size < mostTexts) shelf.waiting.set(key, text)
    fill(shelf)
    return keys
  }
  return {
    async of(tenant, { query, tools }) {
      const text = embeddedQuery(query)
      const shelf = text === undefined || !isSearched(tools) ? undefined : shelfOf(tenant)
      if (text === undefined || shelf === undefined) return undefined
      const keys = prepared(shelf, tools)
      const vectors = new Map(
        tools.flatMap(({ name, id = name }, at) => {
          const vector = shelf.vectors.get(keys[at] ?? '')
          return vector ? [[id, vector]] : []
        }),
      )
      if (!keys.every((key) => shelf.vectors.get(key))) return undefined
      const vector = await queryVector(host, shelf, { text, waitMs })
      return vector && comparable(shelf, { meanings: { vectors }, vector })
    },
    prepare(tenant, tools) {
      const shelf = isSearched(tools) ? shelfOf(tenant) : undefined
      if (shelf) prepared(shelf, tools)
    },
    async embedding(tenant, tool) {
      const shelf = shelfOf(tenant)
      const [key = ''] = shelf ? prepared(shelf, [tool]) : []
      if (shelf?.filling) await timely(shelf.filling, waitMs)
      const vector = shelf?.vectors.get(key)
      return vector && shelf && { model: shelf.by.model, dimensions: vector.length }
    },
    forget: (tenant) => shelves.forget(tenant),
    close: () => shelves.forgetAll(),
  }
}

/** Definitions stay the same objects from request to request. */
const textOf = perObject((tool: EmbeddedTool): string => embeddedTool(tool))
const knownKey = perObjectAndKey<EmbeddedTool, string>()

function isSearched({ length }: readonly EmbeddedTool[]): boolean {
  return length > 0 && length <= mostTexts
}

/** Vectors of another length are those of another model under the same name: all are made anew. */
function comparable(shelf: VectorShelf, { meanings, vector }: QueryMeaning): QueryMeaning | undefined {
  const isComparable = meanings.vectors.values().every(({ length }) => length === vector.length)
  if (isComparable) return { meanings, vector }
  shelf.isChanged = true
  shelf.vectors.clear()
  shelf.queries.clear()
  return undefined
}
