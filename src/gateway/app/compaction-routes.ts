import type { IncomingHttpHeaders } from 'node:http'
import { invalidInput } from '../../core/index.ts'
import type { CompactionConfig } from '../../core/index.ts'
import { changeRecord, compactionConfig, compactSession, handoffSession, readRecord } from '../../sessions/index.ts'
import type { CompactionResult, HandoffHost, HandoffResult } from '../../sessions/index.ts'
import type { Scope } from '../../stores/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import { compactNow, handOver, setCompaction, showCompaction } from '../api/routes/session-routes.ts'
import { serveRoute } from '../api/serve-route.ts'
import type { RouteHost, Served } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { briefingWriter } from './briefing-writer.ts'
import { noteSessionChange } from './session-changes.ts'
import { untilIdle } from './until-idle.ts'

/** How a session is compacted, and compacting it by hand. */
export function addCompactionRoutes(host: RouteHost, parts: ServingParts): void {
  serveRoute(host, showCompaction, async ({ tenant, params: { session = '' } }) => {
    const record = await readRecord(parts.store, { tenant, session })
    const ofTenant = settingsFor(parts.config, tenant).compaction
    return {
      sessionId: session,
      compaction: compactionConfig({ record, asked: { ofTenant } }),
      own: record?.compaction ?? {},
    }
  })
  serveRoute(host, setCompaction, async (request) => {
    const { tenant, params, body: compaction } = request
    const { session = '' } = params
    await changeRecord(parts, { tenant, session }, (record) => ({ ...record, compaction }))
    noteSessionChange(parts, 'compaction-settings', request)
    return { sessionId: session, compaction }
  })
  serveRoute(host, compactNow, async (request, c) => {
    const asked = askedOf(request, c)
    await untilIdle(parts, asked.scope)
    const { strategy = 'compact' } = await configOf(parts, asked)
    const isHandoff = strategy === 'handoff'
    const result = isHandoff ? asCompaction(await handedOver(parts, asked)) : await compacted(parts, asked)
    noteSessionChange(parts, isHandoff ? 'handoff' : 'compact', request)
    return result
  })
  serveRoute(host, handOver, async (request, c) => {
    const asked = askedOf(request, c)
    await untilIdle(parts, asked.scope)
    const result = await handedOver(parts, asked)
    noteSessionChange(parts, 'handoff', request)
    return result
  })
}

interface Request {
  readonly tenant: string
  readonly params: Readonly<Record<string, string>>
  readonly body: CompactionConfig
}

function askedOf({ tenant, params, body }: Request, c: Served): Asked {
  const { session = '' } = params
  return { scope: { tenant, session }, key: keyOf(c), body, headers: c.env.incoming.headers }
}

interface Asked {
  readonly scope: Scope
  readonly key: string | undefined
  readonly body: CompactionConfig
  readonly headers: IncomingHttpHeaders
}

/** What a request says, before what its session has, and its tenant. */
async function configOf({ config, store }: ServingParts, { scope, body }: Asked): Promise<CompactionConfig> {
  const record = await readRecord(store, scope)
  const ofTenant = settingsFor(config, scope.tenant).compaction
  return compactionConfig({ record, asked: { ofTenant, ofRequest: body } })
}

async function compacted(parts: ServingParts, asked: Asked): Promise<CompactionResult> {
  const { preserveRecent, summaryBudget } = await configOf(parts, asked)
  return compactSession(hostOf(parts), asked.scope, {
    key: asked.key,
    ...(preserveRecent !== undefined && { preserveRecent }),
    ...(summaryBudget !== undefined && { summaryBudget }),
  })
}

async function handedOver(parts: ServingParts, asked: Asked): Promise<HandoffResult> {
  const { summaryBudget, customInstructions } = await configOf(parts, asked)
  const { tenant } = asked.scope
  const writer = briefingWriter(parts, { tenant, headers: asked.headers, customInstructions })
  return handoffSession(hostOf(parts), asked.scope, { key: asked.key, summaryBudget, writer })
}

/** A handoff as a strategy of compaction, in the words of that. */
function asCompaction({ tokensBefore, tokensAfter, ...handoff }: HandoffResult): CompactionResult {
  const tokensSaved = tokensBefore - tokensAfter
  return { ...handoff, status: 'handed-over', tokensBefore, tokensAfter, tokensSaved, compactionCount: 0 }
}

function hostOf({ store, clock, newId, sessionParts, catalogueOf }: ServingParts): HandoffHost {
  const { compile, tenant } = sessionParts
  return {
    store,
    clock,
    compile,
    newName: newId,
    count: (text, model, owner) => tokenizerFor(model ?? '', catalogueOf(owner)).count(text),
    ...(tenant && { tenant }),
  }
}

const mostKeyChars = 200

/** A key against repetition. Throws `invalid-input`. */
function keyOf(c: Served): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || (key !== '' && key.length <= mostKeyChars)) return key
  throw invalidInput('idempotency-key', 'is not a key', `Give 1 to ${mostKeyChars} characters.`)
}
