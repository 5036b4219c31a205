import type { Scope, Store, Turn } from '../stores/index.ts'

export interface TurnLogQuery {
  /** Of a session with several conversations, the name of one. Default: the one that was used last. */
  readonly lane?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Words to find; the turns then hold nothing but the items that say them, the best first. */
  readonly q?: string | undefined
  readonly limit: number
}

export interface TurnLog {
  readonly sessionId: string
  /** Names of the conversations that have turns, the one that was used last first. */
  readonly lanes: readonly string[]
  readonly turns: readonly Turn[]
  /** Whether there are more. */
  readonly more: boolean
}

/** Reads the log of a session. Rejects where the store cannot be read; a session without a log has no turns. */
export async function readTurnLog(
  store: Pick<Store, 'read'>,
  { tenant, session }: Scope,
  { lane, from, to, q, limit }: TurnLogQuery,
): Promise<TurnLog> {
  const turns = store.read('turns')
  const named = await store.read('sessions').lanes(tenant, session)
  const begun = await Promise.all(named.map((one) => turns.list(tenant, session, { lane: one, limit: 1 })))
  const lanes = named.filter((_, at) => (begun[at]?.length ?? 0) > 0)
  const page = (found: readonly Turn[]): TurnLog => ({
    sessionId: session,
    lanes,
    turns: found.slice(0, limit),
    more: found.length > limit,
  })
  if (q !== undefined) {
    const found = await turns.search({ tenant, session }, q, limit + 1)
    return page(found.map(({ item, ...turn }) => ({ ...turn, items: [item] })))
  }
  const asked = lane ?? lanes[0]
  if (asked === undefined) return page([])
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  return page(await turns.list(tenant, session, { lane: asked, ...range, limit: limit + 1 }))
}
