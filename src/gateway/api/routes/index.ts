import type { Route } from '../route.ts'
import { showBudgets } from './budget-routes.ts'
import { listOutcomes, addOutcome } from './outcome-routes.ts'
import { changeOneKey, createKey, listAudit, listKeys, revokeOneKey, rotateOneKey, showKey } from './key-routes.ts'
import { search, showHealth, showStatistics } from './overview-routes.ts'
import {
  comparePack,
  comparePolicies,
  copyPack,
  listDecisions,
  listPacks,
  showBytes,
  showPack,
  showPackSummary,
  verifyPack,
  viewPack,
} from './pack-routes.ts'
import { deleteOneTenant, listTenants } from './tenant-routes.ts'
import { listOriginals, showOriginal } from './original-routes.ts'
import { checkPolicy, explainOne, listPolicies } from './policy-routes.ts'
import { cancelReplay, listReplayed, listReplays, showReplay, startReplay } from './replay-routes.ts'
import {
  compactNow,
  handOver,
  listSessions,
  rehydrate,
  setCompaction,
  showCompaction,
  showOutline,
  showSession,
  showTimeline,
  showTurns,
} from './session-routes.ts'
import { listSessionLabels, showUsage } from './usage-routes.ts'
import {
  compileDocument,
  listEvents,
  listExtensions,
  liveness,
  readiness,
  showDocument,
  showMetrics,
} from './system-routes.ts'

/** Every route that we answer ourselves. */
export const ownRoutes: readonly Route[] = [
  showStatistics,
  showUsage,
  showBudgets,
  listSessions,
  listSessionLabels,
  showSession,
  showOutline,
  showTimeline,
  showTurns,
  listOriginals,
  showOriginal,
  rehydrate,
  showCompaction,
  setCompaction,
  compactNow,
  handOver,
  listPacks,
  showPack,
  showPackSummary,
  listDecisions,
  viewPack,
  comparePack,
  comparePolicies,
  showBytes,
  copyPack,
  verifyPack,
  addOutcome,
  listOutcomes,
  search,
  listPolicies,
  explainOne,
  checkPolicy,
  startReplay,
  listReplays,
  showReplay,
  listReplayed,
  cancelReplay,
  createKey,
  listKeys,
  showKey,
  changeOneKey,
  rotateOneKey,
  revokeOneKey,
  listTenants,
  deleteOneTenant,
  listAudit,
  compileDocument,
  listEvents,
  listExtensions,
  showHealth,
  liveness,
  readiness,
  showMetrics,
  showDocument,
]
