import type { GatewayParts } from '../parts.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** Notes what a request goes on without: in its trace, and where all of it is counted and logged. */
export function leavingOut(
  { skipped }: Pick<GatewayParts, 'skipped'>,
  { id, trace }: Pick<Exchange, 'id' | 'trace'>,
): (name: string, error: unknown) => void {
  return (name, error) => {
    trace.skip(name)
    skipped(name, error, id)
  }
}
