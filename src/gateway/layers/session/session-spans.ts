import type { CompileWatch } from '../../../core/index.ts'
import { savedBy } from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import { stageSpans } from '../../../tracing/index.ts'
import type { SpanAttributes } from '../../../tracing/index.ts'
import type { Exchange } from '../../exchange/exchange.ts'

/** What has the stages of a compile be spans; undefined where nobody traces. */
export function compileSpans({ span }: Pick<Exchange, 'span'>): CompileWatch | undefined {
  return span && stageSpans(() => span.child('prehend.compile'))
}

/** What the layer's span says of a turn. */
export function turnAttributes({ manifest, packId, scope, planned }: SessionTurn): SpanAttributes {
  return {
    'gen_ai.conversation.id': scope.session,
    'prehend.pack.id': packId,
    'prehend.tokens.in': manifest.originalTokens,
    'prehend.tokens.out': manifest.packTokens,
    'prehend.tokens.saved': savedBy(planned),
    'prehend.outcome': manifest.outcome,
    ...(manifest.epoch && { 'prehend.epoch': manifest.epoch.decision, 'prehend.epoch.cause': manifest.epoch.cause }),
  }
}
