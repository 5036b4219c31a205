import type { WireExchange, HiddenTurnPart } from '../core/index.ts'
import type { Scope, Store, Write } from '../stores/index.ts'
import { sessionScope } from './session-key.ts'

/** Where a request belongs, and what is known of the reply that it goes on from, where the provider keeps that. */
export interface Belonging {
  readonly scope: Scope
  readonly before?: BeforeKept
}

/** The conversation that a kept reply belongs to. */
export interface BeforeKept {
  /** What its replies held that the client never saw. */
  readonly hidden: readonly HiddenTurnPart[]
  readonly offeredTools: readonly string[]
}

/**
 * The session of a request. What goes on from a kept reply does not say how its conversation began: it belongs where that reply
 * does, so that what was left out there is found, and nothing of ours stays unanswered.
 */
export async function belonging(store: Store, tenant: string, exchange: WireExchange): Promise<Belonging> {
  const own = sessionScope(tenant, exchange)
  const { continues } = exchange.wire
  if (continues === undefined) return { scope: own }
  const place = (await store.read('kept-replies').get(tenant, continues))?.value
  if (place === undefined) return { scope: own }
  const state = await store.read('sessions').get({ tenant, ...place })
  return {
    scope: { ...own, session: place.session },
    before: {
      hidden: (state?.overlay ?? []).filter((part) => part.kind === 'hidden-turn'),
      offeredTools: state?.offeredTools ?? [],
    },
  }
}

/** Notes to which conversation replies belong that the provider keeps. */
export function noteKept({ session, lane = '' }: Scope, replyIds: readonly string[]): readonly Write[] {
  return replyIds.map((key) => ({ table: 'kept-replies', key, value: { session, lane } }))
}
