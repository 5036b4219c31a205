import { answerHealth } from '../api/answers/health.ts'
import { notFound } from '../api/answers/not-found.ts'
import { bytesOf, copyOf, verificationOf } from '../api/answers/pack-bytes.ts'
import { answerDifference } from '../api/answers/pack-difference.ts'
import { viewOf } from '../api/answers/pack-view.ts'
import { answerPacks, packNamed } from '../api/answers/packs.ts'
import { answerCheck, answerExplanation, answerPolicies } from '../api/answers/policies.ts'
import { answerCancel, answerReplay, answerReplayed, answerReplays, answerStart } from '../api/answers/replays.ts'
import { answerSearch } from '../api/answers/search.ts'
import { answerSession, answerSessions } from '../api/answers/sessions.ts'
import { answerStatistics } from '../api/answers/statistics.ts'
import { answerTimeline } from '../api/answers/timeline.ts'
import { openApiDocument } from '../api/openapi.ts'
import { search, showHealth, showStatistics } from '../api/routes/overview-routes.ts'
import {
  comparePack,
  copyPack,
  listPacks,
  showBytes,
  showPack,
  verifyPack,
  viewPack,
} from '../api/routes/pack-routes.ts'
import { checkPolicy, explainOne, listPolicies } from '../api/routes/policy-routes.ts'
import { cancelReplay, listReplayed, listReplays, showReplay, startReplay } from '../api/routes/replay-routes.ts'
import { listSessions, showOriginal, showSession, showTimeline } from '../api/routes/session-routes.ts'
import { showDocument } from '../api/routes/system-routes.ts'
import { serveOther, serveRoute } from '../api/serve-route.ts'
import type { RouteHost } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'

/** What there is to be looked at: figures, sessions, receipts, policies, health. */
export function addInspectorRoutes(host: RouteHost, parts: ServingParts): void {
  const { store } = parts
  serveRoute(host, showStatistics, (asked) => answerStatistics(store, asked))
  serveRoute(host, search, (asked) => answerSearch(store, asked))
  serveRoute(host, showHealth, (asked) => answerHealth(parts, asked))
  serveRoute(host, listPolicies, (asked) => answerPolicies(parts, asked))
  serveRoute(host, explainOne, (asked) => answerExplanation(parts, asked))
  serveRoute(host, checkPolicy, (asked) => answerCheck(parts, asked))
  addSessionRoutes(host, parts)
  addReplayRoutes(host, parts)
  addPackRoutes(host, parts)
  let document: ReturnType<typeof openApiDocument> | undefined
  serveRoute(host, showDocument, () => (document ??= openApiDocument({ version: '1' })) as never)
}

function addSessionRoutes(host: RouteHost, { store }: ServingParts): void {
  serveRoute(host, listSessions, (asked) => answerSessions(store, asked))
  serveRoute(host, showSession, (asked) => answerSession(store, asked))
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

function addPackRoutes(host: RouteHost, { store }: ServingParts): void {
  serveRoute(host, listPacks, (asked) => answerPacks(store, asked))
  serveRoute(host, showPack, (asked) => packNamed(store, asked))
  serveRoute(host, viewPack, async (asked) => viewOf(await packNamed(store, asked)))
  serveRoute(host, comparePack, (asked) => answerDifference(store, asked))
  serveRoute(host, showBytes, async (asked) => bytesOf(await packNamed(store, asked)))
  serveRoute(host, verifyPack, async (asked) => verificationOf(await packNamed(store, asked)))
  serveOther(host, copyPack, async (asked, c) => {
    const receipt = await packNamed(store, asked)
    return c.text(copyOf(receipt, asked.query.as, c.req.header('host') ?? '127.0.0.1:8484'))
  })
}
