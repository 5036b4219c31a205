import type { IncomingHttpHeaders } from 'node:http'
import { codecFor } from '../../codecs/index.ts'
import type { Conversation, ModelReply } from '../../core/index.ts'
import { modelBriefing } from '../../sessions/index.ts'
import type { BriefingWriter } from '../../sessions/index.ts'
import { principalOf } from '../http/authenticate.ts'
import { askModel } from '../layers/ask-model.ts'
import { requestSettings } from '../exchange/request-settings.ts'
import { modelOf } from '../model-routes.ts'
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

function replyTo(parts: ServingParts, { tenant, headers }: BriefingBy, asked: Conversation): Promise<ModelReply> {
  const { config, policies, clock, newId } = parts
  return askModel(parts, {
    by: {
      id: newId(),
      tenant,
      principal: principalOf(config, { tenant, keyId: 'gateway' }),
      receivedMs: clock(),
      method: 'POST',
      headers: { ...credentialsIn(headers), 'content-type': 'application/json' },
      codec: codecFor(dialect),
      settings: requestSettings(undefined, { config, policies, tenant, headers: {} }),
    },
    asked,
    next: upstreamOutlet(parts),
    signal: AbortSignal.timeout(config.summaries.timeoutMs),
    writes: 'briefings',
    setting: 'summaries.handoffModel',
  })
}

function credentialsIn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key'] as const
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}
