import {
  manifestUri,
  replyUri,
  storeItemArtifacts,
  storeManifest,
  storeReply,
  tracedUris,
} from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'

/**
 * Stores the manifest of a turn whose request names a task, and the reply that ends its step: the one that calls no tools. Spans and log have
 * the URIs. A reply is stored only where content is recorded. What fails is told, and the request goes on.
 */
export function fileStepArtifacts(parts: GatewayParts, exchange: Exchange, turn: SessionTurn): void {
  const { id: requestId, tenant, settings } = exchange
  const { taskId, stepId } = settings.step
  const { artifactUris = [] } = turn.manifest
  const place = taskId === undefined ? undefined : { tenant, taskId, stepId, session: turn.scope.session, requestId }
  const uris = [...(place ? [manifestUri(place)] : []), ...artifactUris]
  tell(exchange, turn, uris)
  const failed = (error: unknown): void => parts.skipped('artifacts', error, requestId)
  const originals = turn.encoded?.originals ?? []
  if (originals.length > 0 && artifactUris.length > 0) {
    const of = { tenant, taskId, stepId, session: turn.scope.session, requestId }
    const moving = storeItemArtifacts(parts, of, { originals, uris: artifactUris }).catch(failed)
    exchange.whenEnded(() => moving)
  }
  if (place === undefined) return
  const storing = storeManifest(parts, place, turn.manifest).catch(failed)
  exchange.whenEnded(async () => void (await storing))
  if (settingsFor(parts.config, tenant).record !== 'content') return
  exchange.whenAnswered(async ({ text, toolCalls }) => {
    if (toolCalls.length > 0 || text === '') return
    tell(exchange, turn, [replyUri(place, text), ...uris])
    await storeReply(parts, place, text).catch(failed)
  })
}

function tell({ span, trace }: Exchange, { packId }: SessionTurn, uris: readonly string[]): void {
  const traced = tracedUris(uris)
  if (traced.length === 0) return
  trace.tell({ packId, 'prehend.artifact.uris': traced.join(' ') })
  span?.set({ 'prehend.artifact.uris': traced })
}
