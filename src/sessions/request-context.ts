import type { Principal } from '../core/index.ts'
import type { Scope } from '../stores/index.ts'
import type { RequestContext } from './call-context.ts'
import { isNamedSession } from './session-key.ts'
import { partsFor } from './session-parts.ts'
import type { SessionParts } from './session-parts.ts'
import type { SessionRequest } from './session-turn.ts'

/** What extensions are told of a request. */
export function requestContext(parts: SessionParts, request: SessionRequest, scope: Scope): RequestContext {
  const { requestId, policy, situation, step, principal = ownPrincipal(parts, scope.tenant) } = request
  const isNamed = isNamedSession(scope, request.received)
  return { requestId, scope, principal, isNamed, policy, ...(situation && { situation }), ...(step && { step }) }
}

/** Who asks where a host asks for a tenant in its own process. */
function ownPrincipal(parts: SessionParts, tenant: string): Principal {
  return { tenant, keyId: 'in-process', scopes: ['inference', 'read'], limits: { ...partsFor(parts, tenant).limits } }
}
