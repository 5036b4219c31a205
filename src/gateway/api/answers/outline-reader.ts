import { keepNewest } from '../../../core/index.ts'
import type { z } from 'zod'
import type { Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { outlineQuery } from '../routes/session-routes.ts'
import type { sessionOutline } from '../schemas/outline.ts'
import { notFound } from './not-found.ts'
import { outlineRow } from './outline-rows.ts'
import type { OutlineRow } from './outline-rows.ts'
import { outlineOf } from './session-outline.ts'

/** As many as the store reads in a few milliseconds: others wait for it meanwhile. */
const pageSize = 500

/** Further requests of a session stand in no outline. */
const mostRows = 100_000

/** Sessions whose requests are remembered. */
const mostKept = 4

/** Requests of a session that may be under way at once; what stayed open long ago was never told the end. */
const openAtMost = 50

type OutlineStore = Pick<Store, 'read'>

/**
 * What a session comes to, without its requests. What was read of a session's past is remembered: asked again, it reads what has come
 * since, and what had not ended.
 */
export function outlineReader(
  store: OutlineStore,
): (asked: Asked<typeof outlineQuery>) => Promise<Answered<z.output<typeof sessionOutline>>> {
  const kept = new Map<string, readonly OutlineRow[]>()
  return async ({ tenant, params, query }) => {
    const session = params['session'] ?? ''
    const key = JSON.stringify([tenant, session])
    const settled = settledOf(kept.get(key) ?? [])
    const isCurrent = await beginsAsBefore(store, { tenant, session, settled })
    const rows = await readOn(store, { tenant, session, settled: isCurrent ? settled : [] })
    if (rows.length === 0 && (await store.read('results').sessions(tenant, { limit: 1, session })).length === 0)
      throw notFound('session', 'List them with GET /v1/sessions.')
    kept.delete(key)
    kept.set(key, rows)
    keepNewest(kept, mostKept)
    return { session, ...outlineOf(rows, query.lane), whole: rows.length < mostRows }
  }
}

interface Known {
  readonly tenant: string
  readonly session: string
  /** Requests of which nothing changes any more. */
  readonly settled: readonly OutlineRow[]
}

function settledOf(rows: readonly OutlineRow[]): readonly OutlineRow[] {
  const open = rows.findIndex(({ isOpen }, index) => isOpen && index >= rows.length - openAtMost)
  return open < 0 ? rows : rows.slice(0, open)
}

/** The oldest receipts are removed with age. */
async function beginsAsBefore(store: OutlineStore, { tenant, session, settled }: Known): Promise<boolean> {
  const [first] = await store.read('receipts').list(tenant, { session, after: -1, limit: 1 })
  return first?.sequence === settled[0]?.sequence
}

async function readOn(store: OutlineStore, { tenant, session, settled }: Known): Promise<readonly OutlineRow[]> {
  const rows = [...settled]
  for (let isMore = true; isMore && rows.length < mostRows;) {
    const after = rows.at(-1)?.sequence ?? -1
    const page = await store
      .read('receipts')
      .list(tenant, { session, after, limit: Math.min(pageSize, mostRows - rows.length) })
    rows.push(...page.map(outlineRow))
    isMore = page.length === pageSize
  }
  return rows
}
