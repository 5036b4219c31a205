import { PrehendError, hasScope } from '../../core/index.ts'
import type { Principal, PrincipalScope } from '../../core/index.ts'

const remedies: Readonly<Record<PrincipalScope, string>> = {
  inference: 'Use a key or token with the scope inference.',
  read: 'Use a key or token with the scope read.',
  admin: 'Use a key or token with the scope admin, or the token of an operator.',
  metrics: 'Use a key or token with the scope metrics, or the token of an operator.',
  operator: 'Use the token of an operator: operators of the configuration, or the scope operator.',
}

/** Throws `forbidden` where a principal lacks a scope. */
export function requireScope(principal: Pick<Principal, 'keyId' | 'scopes'>, scope: PrincipalScope): void {
  if (hasScope(principal, scope)) return
  const remedy = remedies[scope]
  throw new PrehendError('forbidden', `${principal.keyId} lacks the scope ${scope}. ${remedy}`, { remedy })
}

/** Throws `forbidden`, which names the first, where a principal has none of the scopes. */
export function requireOneScope(
  principal: Pick<Principal, 'keyId' | 'scopes'>,
  scopes: readonly PrincipalScope[],
): void {
  const [scope] = scopes
  if (scope !== undefined && !scopes.some((one) => hasScope(principal, one))) requireScope(principal, scope)
}
