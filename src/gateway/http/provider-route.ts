import type { Codec } from '../../codecs/index.ts'
import type { ExchangeKind } from '../exchange/exchange.ts'

/** A route that a provider answers. */
export interface ProviderRoute {
  readonly kind: ExchangeKind
  readonly codec: Codec
  /** As its dialect writes it, with the query. */
  readonly path: string
}
