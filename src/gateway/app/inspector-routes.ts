import { answerBudgets } from '../api/answers/budgets.ts'
import { answerHealth } from '../api/answers/health.ts'
import { answerOutcome, answerOutcomes } from '../api/answers/outcomes.ts'
import { answerSummary } from '../api/answers/pack-summary.ts'
import { answerPacks } from '../api/answers/packs.ts'
import { answerCheck, answerExplanation, answerPolicies } from '../api/answers/policies.ts'
import { answerCancel, answerReplay, answerReplayed, answerReplays, answerStart } from '../api/answers/replays.ts'
import { answerSessions } from '../api/answers/sessions.ts'
import { answerTurns } from '../api/answers/turns.ts'
import { answerStatistics } from '../api/answers/statistics.ts'
import { answerTimeline } from '../api/answers/timeline.ts'
import { openApiDocument } from '../api/openapi.ts'
import { showBudgets } from '../api/routes/budget-routes.ts'
import { showHealth, showStatistics } from '../api/routes/overview-routes.ts'
import { listOutcomes, addOutcome } from '../api/routes/outcome-routes.ts'
import { listPacks, showPackSummary } from '../api/routes/pack-routes.ts'
import { checkPolicy, explainOne, listPolicies } from '../api/routes/policy-routes.ts'
import { cancelReplay, listReplayed, listReplays, showReplay, startReplay } from '../api/routes/replay-routes.ts'
import { listOriginals, showOriginal } from '../api/routes/original-routes.ts'
import { listSessions, showTimeline, showTurns } from '../api/routes/session-routes.ts'
import { answerOriginal, answerOriginals } from '../api/answers/originals.ts'
import { showDocument } from '../api/routes/system-routes.ts'
import { serveRoute, serveWritten } from '../api/serve-route.ts'
import { compilesAgain, givenOf } from '../../sessions/index.ts'
import type { RouteHost } from '../api/serve-route.ts'
import { builtInExtensions } from '../extensions/built-in-extensions.ts'
import type { ServingParts } from '../parts.ts'
import { readingAnswers, readings } from '../readings/reading-answers.ts'

/** What there is to be looked at: figures, sessions, receipts, policies, health. */
export function addInspectorRoutes(host: RouteHost, parts: ServingParts): void {
  const { store } = parts
  serveRoute(host, showStatistics, (asked) => answerStatistics(parts, asked))
  serveRoute(host, showBudgets, (asked) => answerBudgets(parts, asked))
  serveRoute(host, showHealth, (asked) => answerHealth(parts, asked))
  serveRoute(host, listPolicies, (asked) => answerPolicies(parts, asked))
  serveRoute(host, explainOne, (asked) => answerExplanation(parts, asked))
  serveRoute(host, checkPolicy, (asked) => answerCheck(parts, asked))
  addSessionRoutes(host, parts)
  addReplayRoutes(host, parts)
  serveRoute(host, addOutcome, (asked) => answerOutcome(parts, asked))
  serveRoute(host, listOutcomes, (asked) => answerOutcomes(store, asked))
  serveRoute(host, listPacks, (asked) => answerPacks(store, asked))
  serveRoute(host, showPackSummary, (asked) => answerSummary(store, asked))
  addReadings(host, parts)
  let document: ReturnType<typeof openApiDocument> | undefined
  serveRoute(host, showDocument, () => (document ??= openApiDocument({ version: '1' })) as never)
}

function addSessionRoutes(host: RouteHost, { store }: ServingParts): void {
  serveRoute(host, listSessions, (asked) => answerSessions(store, asked))
  serveRoute(host, showTimeline, (asked) => answerTimeline(store, asked))
  serveRoute(host, showTurns, (asked) => answerTurns(store, asked))
  serveRoute(host, listOriginals, (asked) => answerOriginals(store, asked))
  serveRoute(host, showOriginal, (asked) => answerOriginal(store, asked))
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
  let places: ReturnType<typeof readingPlaces> | undefined
  for (const { stated, given, isShort } of readings)
    serveWritten(host, stated, async (asked) => {
      const { here, staysHere, own } = (places ??= readingPlaces(parts))
      const question = { name: stated.name, asked, ...(given && { given: given(parts, asked) }), ...own }
      return staysHere || (await isShort?.(parts.store, asked)) ? here(question) : parts.readings.read(question)
    })
}

/** Where receipts can be compiled again as they were: with the extensions that have a say in that. */
function readingPlaces({ config, compileExtras, dialects, extensions, store }: ServingParts) {
  const isExtended = Object.keys(compileExtras).length > 0 || givenOf(extensions, 'dialects').length > 0
  const elsewhere = config.extensions.length + builtInExtensions(config).length
  return {
    here: readingAnswers(store, { compile: compilesAgain(compileExtras), dialects }),
    // Values are on this thread alone, and so is all that there is of a store without `connect`.
    staysHere: isExtended && (extensions.all.length > elsewhere || !('connect' in store)),
    own: isExtended ? { extensions: config.extensions } : {},
  }
}
