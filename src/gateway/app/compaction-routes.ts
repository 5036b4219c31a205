import { invalidInput } from '../../core/index.ts'
import { changeRecord, compactSession } from '../../sessions/index.ts'
import type { CompactionHost, CompactionResult } from '../../sessions/index.ts'
import { compactNow, setCompaction } from '../api/routes/session-routes.ts'
import { serveRoute } from '../api/serve-route.ts'
import type { RouteHost, Served } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { untilIdle } from './until-idle.ts'

/** How a session is compacted, and compacting it by hand. */
export function addCompactionRoutes(host: RouteHost, parts: ServingParts): void {
  serveRoute(host, setCompaction, async ({ tenant, params: { session = '' }, body: compaction }) => {
    await changeRecord(parts, { tenant, session }, (record) => ({ ...record, compaction }))
    return { sessionId: session, compaction }
  })
  serveRoute(host, compactNow, async ({ tenant, params: { session = '' }, body }, c): Promise<CompactionResult> => {
    const key = keyOf(c)
    const scope = { tenant, session }
    await untilIdle(parts, scope)
    const ofTenant = settingsFor(parts.config, tenant).compaction
    const { preserveRecent, summaryBudget } = body
    return compactSession(compactionHost(parts), scope, {
      key,
      ofTenant,
      ...(preserveRecent !== undefined && { preserveRecent }),
      ...(summaryBudget !== undefined && { summaryBudget }),
    })
  })
}

function compactionHost({ store, clock, newId, sessionParts }: ServingParts): CompactionHost {
  const { compile, tenant } = sessionParts
  return { store, clock, compile, newName: newId, ...(tenant && { tenant }) }
}

const mostKeyChars = 200

/** A key against repetition. Throws `invalid-input`. */
function keyOf(c: Served): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || (key !== '' && key.length <= mostKeyChars)) return key
  throw invalidInput('idempotency-key', 'is not a key', `Give 1 to ${mostKeyChars} characters.`)
}
