import type { GivenSummary } from '../../core/index.ts'
import { isJsonObject, parseJson } from '../../core/index.ts'
import type { Scope, Store } from '../../stores/index.ts'

/** A summary as it is kept: what was written, of which items, by whom and when. */
export interface KeptSummary extends GivenSummary {
  readonly itemIds: readonly string[]
  /** What it takes, and what its turns take. */
  readonly tokens: number
  readonly sourceTokens: number
  /** Milliseconds since the epoch. */
  readonly writtenMs: number
}

/**
 * The summary of what has this key, by this writer, of whichever session of the tenant's: the first that was written stands. Rejects
 * where the store cannot be read.
 */
export async function keptSummary(
  store: Pick<Store, 'original'>,
  tenant: string,
  { key, writer }: Pick<GivenSummary, 'key' | 'writer'>,
): Promise<GivenSummary | undefined> {
  const found = await store.original({ tenant }, nameOf(key, writer))
  const value = found === undefined ? undefined : parseJson(found.text)
  if (!isJsonObject(value)) return undefined
  const { prose } = value
  return typeof prose === 'string' && prose !== '' ? { key, writer, prose } : undefined
}

/** Keeps a summary with its session, and goes with it. Rejects where it cannot be written. */
export async function keepSummary(store: Pick<Store, 'commit'>, scope: Scope, summary: KeptSummary): Promise<void> {
  const { tenant, session } = scope
  const { key, writer, writtenMs } = summary
  const originals = [{ handle: nameOf(key, writer), text: JSON.stringify(summary) }]
  await store.commit({ scope: { tenant, session, lane: summariesLane }, nowMs: writtenMs, originals })
}

/** Beside the conversations of a session, whose versions it leaves as they are. */
const summariesLane = 'summaries'

/** No handle that a model could ask for has a space. */
function nameOf(key: string, writer: string): string {
  return `summary ${writer} ${key}`
}
