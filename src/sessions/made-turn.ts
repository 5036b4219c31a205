import type { QueryMeaning } from '../tools/index.ts'
import { toFind } from './catalogue/hosted-tools.ts'
import type { MeaningAsked } from './meanings/meanings.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionRequest, SessionTurn } from './session-turn.ts'

/** Stands for a turn whose tools are chosen once it is known what vectors there are. */
export interface WantsMeaning {
  readonly kind: 'wants-meaning'
  readonly asked: MeaningAsked
}

/** The vectors that a turn wanted; `none` where there are none to be had, undefined where it has not asked yet. */
export type Meaning = QueryMeaning | 'none' | undefined

/** What is made for a turn, each time that something fails once more. */
const mostMaking = 4

/** Decides, has made what is to be known and shown, and decides again; what cannot be made is shown as it came. */
export async function made(
  host: SessionHost,
  request: SessionRequest,
  decide: (meaning: Meaning) => SessionTurn | WantsMeaning,
): Promise<SessionTurn> {
  const { meanings } = host.parts
  const { tenant } = host.lane.scope
  let meaning: Meaning
  for (let tries = 1; ;) {
    const turn = decide(meaning)
    if (turn.kind === 'wants-meaning') {
      meaning = (await meanings?.of(tenant, turn.asked)) ?? 'none'
      continue
    }
    const { orders = [], catalogue } = turn
    if (orders.length === 0) {
      // What a model may look for in this turn has its vectors by then.
      if (catalogue) meanings?.prepare(tenant, toFind({ ...catalogue, hosted: catalogue.hosted ?? [] }))
      return turn
    }
    if (tries === mostMaking) throw new Error('media could not be made')
    tries += 1
    await madeMedia(host, request, { ...turn, orders })
  }
}

async function madeMedia(
  { parts }: SessionHost,
  { codec, requestId }: SessionRequest,
  { scope, orders, exchange }: Pick<SessionTurn, 'scope' | 'exchange'> & Required<Pick<SessionTurn, 'orders'>>,
): Promise<void> {
  await parts.media?.make({
    scope,
    orders,
    mediaUrl: (itemId) => codec.mediaUrl(exchange, itemId),
    failed: (error) => parts.watch.failed('media', error, requestId),
  })
}
