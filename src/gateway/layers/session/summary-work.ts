import type { Conversation, Reply, Summarizer } from '../../../core/index.ts'
import { PrehendError } from '../../../core/index.ts'
import { modelSummarizer, modelWriter } from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import { priceOf, tokenizerFor } from '../../../tokens/index.ts'
import { modelOf } from '../../model-routes.ts'
import { bodyOf, isSuccess } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import type { SummaryWork } from '../../upkeep/summary-writer.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Exchange } from '../exchange.ts'
import type { Next } from '../layer.ts'
import { openTrace } from '../trace.ts'

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
  return {
    requestId: turn.requestId,
    scope: turn.scope,
    items: turn.input.items,
    policy,
    writer: modelWriter(model),
    count: (text) => tokenizerFor(turn.input.model ?? model, parts.catalogueOf(exchange.tenant)).count(text),
    summarizer: (signal): Summarizer =>
      modelSummarizer({ model, ask: (asked) => replyTo(parts, { exchange, next, asked, signal }) }),
  }
}

interface Asked {
  readonly exchange: Exchange
  readonly next: Next
  readonly asked: Conversation
  readonly signal: AbortSignal
}

/** Asks as the client itself would, past all layers that have to do with its conversation. */
async function replyTo(parts: GatewayParts, { exchange, next, asked, signal }: Asked): Promise<Reply> {
  const { codec, upstream: _, sessionName: __, span: ___, ...rest } = exchange
  const { stopwatch, upstreams, metrics } = parts
  const { model, upstream } = upstreams.named(asked.model, exchange.tenant)
  const { body } = codec.write({ ...asked, model })
  const own = codec.decode({ path: codec.pathTo({ model, stream: false }), headers: exchange.wire.headers, body })
  const trace = openTrace({ stopwatch, startedMs: stopwatch(), whenSent: () => undefined })
  const reply = await next({
    ...rest,
    ...own,
    id: `${exchange.id}~summary`,
    kind: 'messages',
    codec,
    received: { exchange: own, bytes: Buffer.from(body) },
    body,
    collected: [],
    rewrites: [],
    signal,
    trace,
    whenEnded: () => undefined,
    ...(upstream !== undefined && { upstream }),
  })
  const { text } = await bodyOf(reply)
  const info = parts.catalogueOf(exchange.tenant).info(model)
  const usage = codec.usageOf(text)
  const usd = usage && priceOf(usage, info)
  if (usd !== undefined) {
    metrics.dollars.inc({ kind: 'spent', family: info.provider }, usd)
    metrics.roleDollars.inc({ role: 'summarizer', family: info.provider }, usd)
  }
  if (!isSuccess(reply))
    throw new PrehendError('upstream-refused', `The model that writes summaries answered ${reply.status}.`, {
      status: reply.status,
      said: '',
      remedy: 'Look at summaries.model.',
    })
  return codec.decodeReply(text)
}
