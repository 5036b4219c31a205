import type { Codec } from '../../codecs/index.ts'
import type { Exchange, ReceivedRequest } from './exchange.ts'
import { openTrace } from './trace.ts'

export interface ExchangeGiven {
  readonly codec: Codec
  readonly received: ReceivedRequest
  readonly stopwatch?: () => number
  readonly signal?: AbortSignal
}

/** A request of nobody in particular, as the first layer gets it. */
export function exchangeOf({
  codec,
  received,
  stopwatch = () => 0,
  signal = new AbortController().signal,
}: ExchangeGiven): Exchange {
  return {
    ...received.exchange,
    id: 'r',
    kind: 'messages',
    tenant: 'default',
    principal: { tenant: 'default', keyId: 'anonymous', scopes: ['inference', 'read'], limits: {} },
    receivedMs: 0,
    method: 'POST',
    headers: {},
    codec,
    received,
    collected: [],
    rewrites: [],
    restores: [],
    settings: {
      mode: 'on',
      policy: { id: 'p' } as Exchange['settings']['policy'],
      rehydrate: true,
      step: {},
      constraints: [],
      checklist: [],
    },
    signal,
    trace: openTrace({ stopwatch, startedMs: stopwatch(), whenSent: () => undefined }),
    whenEnded: () => undefined,
    whenAnswered: () => undefined,
  }
}
