import { markerResolver, withinDeadline } from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import type { GatewayParts } from '../../parts.ts'
import { markerFilter } from './marker-filter.ts'
import type { MarkerFilter } from './marker-filter.ts'

/** The filter of a request that shows something shortened; a reply to any other has no marker of ours to copy. */
export function markerGuard(parts: GatewayParts, turn: SessionTurn): MarkerFilter | undefined {
  const { mode, scope, exchange, after, encoded, requestId } = turn
  if (mode !== 'on' || !encoded) return undefined
  const { pack, ledger } = encoded
  if (!pack.entries.some(({ rung }) => rung !== 'full')) return undefined
  const resolve = markerResolver(parts.store, { scope, handles: after.handles, exchange, pack, ledger })
  return markerFilter({
    resolve: async (marker) => {
      try {
        return await withinDeadline(resolve(marker), parts.config.limits.stageMs)
      } catch (error) {
        parts.skipped('marker', error, requestId)
        return undefined
      }
    },
    count: (result) => parts.metrics.markers.inc({ result }),
  })
}
