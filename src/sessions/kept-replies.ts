import type { Exchange, HiddenTurnPart } from '../core/index.ts'
import { isJsonObject, parseJson } from '../core/index.ts'
import type { Commit, Scope, Store } from '../stores/index.ts'
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
export async function belonging(store: Store, tenant: string, exchange: Exchange): Promise<Belonging> {
  const own = sessionScope(tenant, exchange)
  const { continues } = exchange.wire
  if (continues === undefined) return { scope: own }
  const place = placeIn((await store.original({ tenant }, nameOf(continues)))?.text)
  if (place === undefined) return { scope: own }
  const state = await store.session({ tenant, ...place })
  return {
    scope: { ...own, session: place.session },
    before: {
      hidden: (state?.overlay ?? []).filter((part) => part.kind === 'hidden-turn'),
      offeredTools: state?.offeredTools ?? [],
    },
  }
}

/** Notes to which conversation replies belong that the provider keeps. */
export function noteKept(
  { tenant, session, lane = '' }: Scope,
  replyIds: readonly string[],
): Pick<Commit, 'scope' | 'originals'> {
  const text = JSON.stringify({ session, lane })
  return {
    scope: { tenant, session, lane: keptLane },
    originals: replyIds.map((id) => ({ handle: nameOf(id), text })),
  }
}

/** Beside the conversations of a session, whose versions it leaves as they are. */
const keptLane = 'kept'

/** No handle that a model could ask for has a space. */
function nameOf(replyId: string): string {
  return `reply ${replyId}`
}

function placeIn(text: string | undefined): Required<Pick<Scope, 'session' | 'lane'>> | undefined {
  const place = text === undefined ? undefined : parseJson(text)
  if (!isJsonObject(place)) return undefined
  const { session, lane } = place
  return typeof session === 'string' && typeof lane === 'string' ? { session, lane } : undefined
}
