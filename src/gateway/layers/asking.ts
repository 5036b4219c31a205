import type { GatewayParts } from '../parts.ts'
import { askedFor } from '../exchange/exchange.ts'
import type { Exchange } from '../exchange/exchange.ts'

export interface AskedInstead {
  /** The model, as a client would name it. */
  readonly name: string
  /** What the request is known by from here on. */
  readonly id: string
}

/** The client's request as if it had asked for another model. */
export function asking(parts: GatewayParts, exchange: Exchange, { name, id }: AskedInstead): Exchange {
  const { codec, received, upstream: _, ...rest } = exchange
  const { model, upstream } = parts.upstreams.named(name, exchange.tenant)
  const { exchange: previous } = received
  const asked = askedFor({ model, codec, wire: previous.wire, previousOf: () => ({ received: previous }) })
  return {
    ...rest,
    ...asked.exchange,
    id,
    codec,
    received: { ...received, ...asked },
    ...(upstream !== undefined && { upstream }),
  }
}
