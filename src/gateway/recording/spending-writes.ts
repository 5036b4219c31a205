import type { Write } from '../../stores/index.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** What calls of a request have come to, to be written with its receipt; whoever writes it says so by `outlay.filed`. */
export function spendingWrites({ outlay }: Pick<Exchange, 'outlay'>): readonly Write[] {
  return (outlay?.writes() ?? []).map((write) => ({ table: 'spending', ...write }))
}
