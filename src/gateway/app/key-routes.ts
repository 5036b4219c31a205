import { answerAudit } from '../api/answers/audit.ts'
import {
  answerKey,
  answerKeyChange,
  answerKeys,
  answerNewKey,
  answerRevocation,
  answerRotation,
} from '../api/answers/keys.ts'
import {
  changeOneKey,
  createKey,
  listAudit,
  listKeys,
  revokeOneKey,
  rotateOneKey,
  showKey,
} from '../api/routes/key-routes.ts'
import {
  deleteOneTenant,
  dropProviderKey,
  dropTenantSettings,
  listProviderKeys,
  listTenants,
  rewrapKeys,
  setOneProviderKey,
  setTenantSettings,
  showTenantSettings,
} from '../api/routes/tenant-routes.ts'
import {
  answerDroppedProviderKey,
  answerNewProviderKey,
  answerProviderKeys,
  answerRewrap,
} from '../api/answers/provider-keys.ts'
import { answerChangedSettings, answerDroppedSettings, answerSettings } from '../api/answers/tenant-settings.ts'
import { answerTenantDeletion, answerTenants } from '../api/answers/tenants.ts'
import { serveRoute } from '../api/serve-route.ts'
import type { RouteHost } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'

/** Virtual keys, tenants, and the log of what was changed. */
export function addKeyRoutes(host: RouteHost, parts: ServingParts): void {
  serveRoute(host, createKey, (asked) => answerNewKey(parts, asked))
  serveRoute(host, listKeys, (asked) => answerKeys(parts, asked))
  serveRoute(host, showKey, (asked) => answerKey(parts, asked))
  serveRoute(host, changeOneKey, (asked) => answerKeyChange(parts, asked))
  serveRoute(host, rotateOneKey, (asked) => answerRotation(parts, asked))
  serveRoute(host, revokeOneKey, (asked) => answerRevocation(parts, asked))
  serveRoute(host, listTenants, () => answerTenants(parts))
  serveRoute(host, deleteOneTenant, (asked) => answerTenantDeletion(parts, asked))
  serveRoute(host, showTenantSettings, (asked) => answerSettings(parts, asked))
  serveRoute(host, setTenantSettings, (asked) => answerChangedSettings(parts, asked))
  serveRoute(host, dropTenantSettings, (asked) => answerDroppedSettings(parts, asked))
  serveRoute(host, listProviderKeys, (asked) => answerProviderKeys(parts, asked))
  serveRoute(host, setOneProviderKey, (asked) => answerNewProviderKey(parts, asked))
  serveRoute(host, dropProviderKey, (asked) => answerDroppedProviderKey(parts, asked))
  serveRoute(host, rewrapKeys, (asked) => answerRewrap(parts, asked))
  serveRoute(host, listAudit, (asked) => answerAudit(parts.store, asked))
}
