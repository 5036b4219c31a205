import type { Counting } from './counting.ts'
import { renderer } from './render.ts'
import type { Strategy } from './strategy.ts'
import type { Trace } from './trace.ts'

/** Sends the first requests of a session through a strategy, in order; who wants what it packs has it told (`packed`). */
export function packTrace(
  { requests }: Trace,
  strategy: Strategy,
  { first, ...counting }: Counting & { readonly first: number },
): void {
  const run = strategy.start(renderer(counting))
  for (const request of requests.slice(0, first)) run.next(request)
}
