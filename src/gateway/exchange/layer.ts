import type { Reply } from '../outlet/reply.ts'
import type { LayerMetric } from '../telemetry/layer-metrics.ts'
import type { Exchange } from './exchange.ts'
import type { FactsSchema } from './facts.ts'

/** The rest of the way: further layers, and at the end the provider. May be asked several times. */
export type Next = (exchange: Exchange) => Promise<Reply>

/**
 * A station on the way of requests, of whatever kind and mode, and of their replies: `handle` changes what it hands to
 * `next` and what it hands back, or answers by itself. What goes upstream is what the layers made of the request.
 */
export interface Layer {
  /** In the receipt, and in `x-prehend-skipped` where it was skipped. */
  readonly name: string
  /**
   * What happens when `handle` throws. `open`: the request goes on without the layer, as long as it has not begun to read
   * a reply. `closed`: the request ends in an error; a `PrehendError` is the client's to read.
   */
  readonly failure: 'open' | 'closed'
  /** Requests that end in an error all the same, of a layer that fails open. */
  failsClosed?(exchange: Exchange): boolean
  /**
   * Whether it can do its work on a request that nobody could read: a body that no codec takes, or a route that we do not
   * know, on their way as they came. Those do not pass a layer that fails closed, whether it applies to them or not, unless
   * it says so here.
   */
  readonly takesUnread?: boolean
  /** How long it may take until it has asked or answered, in milliseconds; more is a failure. No limit when absent. */
  readonly limitMs?: number
  /** Whether it has to do with a request; others go past it, with no time of it in their receipt. All when absent, or where it throws. */
  appliesTo?(exchange: Exchange): boolean
  /** What it may note of a request with `exchange.trace.note`: that stands in the receipt. Nothing when absent. */
  readonly facts?: FactsSchema
  /** What it counts with `exchange.trace.count`: that stands in `/metrics`. Nothing when absent. */
  readonly metrics?: readonly LayerMetric[]
  /** Does the layer's work: asks the rest of the pipeline with `next`, or answers by itself. */
  handle(exchange: Exchange, next: Next): Promise<Reply>
  /**
   * Gives a text of the model's with what the layer has masked in its own words again: arguments of calls that a hidden tool answers. The
   * exchange is the one that the layer has handed to `next`. What the client sees the layer restores by a filter of the reply.
   */
  restore?(text: string, exchange: Exchange): string
}
