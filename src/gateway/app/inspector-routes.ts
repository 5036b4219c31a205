import { answerHealth } from '../api/answers/health.ts'
import { notFound } from '../api/answers/not-found.ts'
import { answerSummary } from '../api/answers/pack-summary.ts'
import { answerPacks } from '../api/answers/packs.ts'
import { answerCheck, answerExplanation, answerPolicies } from '../api/answers/policies.ts'
import { answerCancel, answerReplay, answerReplayed, answerReplays, answerStart } from '../api/answers/replays.ts'
import { answerSessions } from '../api/answers/sessions.ts'
import { answerStatistics } from '../api/answers/statistics.ts'
import { answerTimeline } from '../api/answers/timeline.ts'
import { openApiDocument } from '../api/openapi.ts'
import { showHealth, showStatistics } from '../api/routes/overview-routes.ts'
import { listPacks, showPackSummary } from '../api/routes/pack-routes.ts'
import { checkPolicy, explainOne, listPolicies } from '../api/routes/policy-routes.ts'
import { cancelReplay, listReplayed, listReplays, showReplay, startReplay } from '../api/routes/replay-routes.ts'
import { listSessions, showOriginal, showTimeline } from '../api/routes/session-routes.ts'
import { showDocument } from '../api/routes/system-routes.ts'
import { serveRoute, serveWritten } from '../api/serve-route.ts'
import type { RouteHost } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'
import { readingAnswers, readings } from '../readings/reading-answers.ts'

/** What there is to be looked at: figures, sessions, receipts, policies, health. */
export function addInspectorRoutes(host: RouteHost, parts: ServingParts): void {
  const { store } = parts
  serveRoute(host, showStatistics, (asked) => answerStatistics(parts, asked))
  serveRoute(host, showHealth, (asked) => answerHealth(parts, asked))
  serveRoute(host, listPolicies, (asked) => answerPolicies(parts, asked))
  serveRoute(host, explainOne, (asked) => answerExplanation(parts, asked))
  serveRoute(host, checkPolicy, (asked) => answerCheck(parts, asked))
  addSessionRoutes(host, parts)
  addReplayRoutes(host, parts)
  serveRoute(host, listPacks, (asked) => answerPacks(store, asked))
  serveRoute(host, showPackSummary, (asked) => answerSummary(store, asked))
  addReadings(host, parts)
  let document: ReturnType<typeof openApiDocument> | undefined
  serveRoute(host, showDocument, () => (document ??= openApiDocument({ version: '1' })) as never)
}

function addSessionRoutes(host: RouteHost, { store }: ServingParts): void {
  serveRoute(host, listSessions, (asked) => answerSessions(store, asked))
  serveRoute(host, showTimeline, (asked) => answerTimeline(store, asked))
  serveRoute(host, showOriginal, async ({ tenant, params }) => {
    const { session = '', handle = '' } = params
    const original = await store.original({ tenant, session }, handle)
    if (!original) throw notFound('handle', 'Copy it as it stands in a request of this session.')
    return original
  })
}

function addReplayRoutes(host: RouteHost, parts: ServingParts): void {
  serveRoute(host, startReplay, (asked) => answerStart(parts, asked))
  serveRoute(host, listReplays, (asked) => answerReplays(parts, asked))
  serveRoute(host, showReplay, (asked) => answerReplay(parts, asked))
  serveRoute(host, listReplayed, (asked) => answerReplayed(parts, asked))
  serveRoute(host, cancelReplay, (asked) => answerCancel(parts, asked))
}

/** What may take its time is answered elsewhere, and here its bytes pass; what takes none is answered here. */
function addReadings(host: RouteHost, parts: ServingParts): void {
  const here = readingAnswers(parts.store)
  for (const { stated, given, isShort } of readings)
    serveWritten(host, stated, async (asked) => {
      const question = { name: stated.name, asked, ...(given && { given: given(parts, asked) }) }
      return (await isShort?.(parts.store, asked)) ? here(question) : parts.readings.read(question)
    })
}
