import type { Exchange } from '../exchange/exchange.ts'
import type { GatewayParts } from '../parts.ts'
import type { AnsweredBy } from '../telemetry/metrics.ts'

type Answered = Pick<Exchange, 'tenant' | 'trace' | 'conversation'>

/** The labels of an answer. Of models, those that the catalogue or the configuration knows: what a client makes up may be secret. */
export function answerLabels(
  { catalogueOf }: Pick<GatewayParts, 'catalogueOf'>,
  exchange: Answered | undefined,
): Readonly<Record<AnsweredBy, string>> {
  if (exchange === undefined) return { tenant: 'unknown', upstream: 'none', model: 'none' }
  const { tenant, trace, conversation } = exchange
  const model = trace.answeredBy.at(-1) ?? conversation.model
  const isKnown = model !== '' && catalogueOf(tenant).info(model).known
  return { tenant, upstream: trace.sent?.upstream ?? 'none', model: isKnown ? model : model === '' ? 'none' : 'other' }
}
