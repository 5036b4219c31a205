import type { IncomingHttpHeaders } from 'node:http'
import { codecFor } from '../../codecs/index.ts'
import type { Conversation, Reply } from '../../core/index.ts'
import { PrehendError } from '../../core/index.ts'
import { modelBriefing } from '../../sessions/index.ts'
import type { BriefingWriter } from '../../sessions/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { Exchange } from '../layers/exchange.ts'
import { requestSettings } from '../layers/request-settings.ts'
import { openTrace } from '../layers/trace.ts'
import { modelOf } from '../model-routes.ts'
import { bodyOf, isSuccess } from '../outlet/reply.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { upstreamOutlet } from '../upstream/upstream-outlet.ts'

export interface BriefingBy {
  readonly tenant: string
  /** Of the request for a handoff: credentials that a provider without a key of ours may need. */
  readonly headers: IncomingHttpHeaders
  readonly customInstructions?: string | undefined
}

/** Whoever crosses to another dialect begins with this one. */
const dialect = 'openai-chat'

/** The model that writes briefings: the configuration's, or the dear one of its routes; undefined where none is named. */
export function briefingWriter(parts: ServingParts, by: BriefingBy): BriefingWriter | undefined {
  const { summaries, modelRoutes } = settingsFor(parts.config, by.tenant)
  const [route] = Object.values(modelRoutes)
  const model = summaries.handoffModel ?? (route && modelOf(route, 'T2', dialect))
  if (model === undefined) return undefined
  return modelBriefing({ model, customInstructions: by.customInstructions, ask: (asked) => replyTo(parts, by, asked) })
}

async function replyTo(parts: ServingParts, { tenant, headers }: BriefingBy, asked: Conversation): Promise<Reply> {
  const { stopwatch, upstreams, metrics, config, clock } = parts
  const codec = codecFor(dialect)
  const { model, upstream } = upstreams.named(asked.model, tenant)
  const { body } = codec.write({ ...asked, model })
  const own = codec.decode({ path: codec.pathTo({ model, stream: false }), body })
  const exchange: Exchange = {
    ...own,
    id: parts.newId(),
    kind: 'messages',
    tenant,
    receivedMs: clock(),
    method: 'POST',
    headers: { ...credentialsIn(headers), 'content-type': 'application/json' },
    codec,
    received: { exchange: own, bytes: Buffer.from(body) },
    body,
    collected: [],
    rewrites: [],
    settings: requestSettings(undefined, { config, policies: parts.policies, tenant, headers: {} }),
    signal: AbortSignal.timeout(config.summaries.timeoutMs),
    trace: openTrace({ stopwatch, startedMs: stopwatch(), whenSent: () => undefined }),
    whenEnded: () => undefined,
    ...(upstream !== undefined && { upstream }),
  }
  const reply = await upstreamOutlet(parts)(exchange)
  const { text } = await bodyOf(reply)
  if (!isSuccess(reply)) throw refused(reply.status)
  const info = parts.catalogueOf(tenant).info(model)
  const usage = codec.usageOf(text)
  const usd = usage && priceOf(usage, info)
  if (usd !== undefined) {
    metrics.dollars.inc({ kind: 'spent', family: info.provider }, usd)
    metrics.roleDollars.inc({ role: 'summarizer', family: info.provider }, usd)
  }
  return codec.decodeReply(text)
}

function credentialsIn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key'] as const
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}

function refused(status: number): PrehendError<'upstream-refused'> {
  const remedy = 'Look at summaries.handoffModel.'
  return new PrehendError('upstream-refused', `The model that writes briefings answered ${status}.`, {
    status,
    said: '',
    remedy,
  })
}
