import type { Summarizer } from '../../../core/index.ts'
import { modelSummarizer, modelWriter } from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import { tokenizerFor } from '../../../tokens/index.ts'
import { modelOf } from '../../model-routes.ts'
import type { GatewayParts } from '../../parts.ts'
import type { SummaryWork } from '../../upkeep/summary-queue.ts'
import { settingsFor } from '../../tenant-settings.ts'
import { askModel } from '../ask-model.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Next } from '../../exchange/layer.ts'

/** The model that writes summaries, as a client would name it: the configuration's, or the cheap one of what the client asks for. */
export function summaryModel(
  { config }: Pick<GatewayParts, 'config'>,
  tenant: string,
  dialect: Exchange['wire']['dialect'],
): string | undefined {
  const { summaries, modelRoutes } = settingsFor(config, tenant)
  if (summaries.model !== undefined) return summaries.model
  const [route] = Object.values(modelRoutes)
  return route && modelOf(route, 'T1', dialect)
}

export interface AnsweredChat {
  readonly exchange: Exchange
  readonly turn: SessionTurn
  readonly next: Next
}

/** What of an answered request's conversation a model may summarise; undefined where nobody wants that, or nothing was too long yet. */
export function summaryWork(parts: GatewayParts, { exchange, turn, next }: AnsweredChat): SummaryWork | undefined {
  const { policy } = turn.input
  const model = summaryModel(parts, exchange.tenant, exchange.wire.dialect)
  if (policy.summaries?.writer !== 'model' || model === undefined || !turn.manifest.summaries?.length) return undefined
  const by = { ...exchange, id: `${exchange.id}~summary` }
  return {
    requestId: turn.requestId,
    scope: turn.scope,
    items: turn.input.items,
    policy,
    leftOut: new Set(turn.manifest.summaries.flatMap(({ itemIds }) => itemIds)),
    writer: modelWriter(model),
    count: (text) => tokenizerFor(turn.input.model ?? model, parts.catalogueOf(exchange.tenant)).count(text),
    summarizer: (signal): Summarizer =>
      modelSummarizer({
        model,
        // As the client itself would ask, past all layers that have to do with its conversation.
        ask: (asked) => askModel(parts, { by, next, asked, signal, writes: 'summaries', setting: 'summaries.model' }),
      }),
  }
}
