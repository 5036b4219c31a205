import type { GatewayParts } from './parts.ts'
import type { SessionRequest } from './prepare.ts'
import { markerResolver } from './resolve-marker.ts'
import { withinDeadline } from './within-deadline.ts'
import { markerFilter } from './layers/session/marker-filter.ts'
import type { MarkerFilter } from './layers/session/marker-filter.ts'

/** The filter of a request that shows something shortened; a reply to any other has no marker of ours to copy. */
export function guardOf(
  parts: GatewayParts,
  { prepared, requestId }: { readonly prepared: SessionRequest; readonly requestId: string },
): MarkerFilter | undefined {
  const { packed, session, mode } = prepared
  if (mode !== 'on' || !packed.encoded) return undefined
  const { pack, ledger } = packed.encoded
  if (!pack.entries.some(({ rung }) => rung !== 'full')) return undefined
  const resolve = markerResolver(parts.store, { session, exchange: packed.exchange, pack, ledger })
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
