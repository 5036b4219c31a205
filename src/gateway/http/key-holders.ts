import { PrehendError } from '../../core/index.ts'
import type { Principal } from '../../core/index.ts'
import type { UsedKey } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'
import { keyState } from '../keys/key-state.ts'
import type { KnownKeys } from '../keys/known-keys.ts'
import { settingsFor } from '../tenant-settings.ts'

/** Where virtual keys are found; without it there are only tokens. */
export interface KeyRing {
  readonly keys: KnownKeys
  readonly clock: () => number
}

/** Says whose keys have these hashes. Throws or rejects with `unauthorized`, and with why a known key is no longer good. */
export function keyHolders(
  config: GatewayConfig,
  { keys, clock }: KeyRing,
): (hashes: readonly string[]) => Principal | Promise<Principal> {
  const choose = (found: readonly (UsedKey | undefined)[]): Principal => {
    const nowMs = clock()
    const good = found.find((key) => key !== undefined && keyState(key, nowMs) === 'active')
    if (good === undefined) throw refused(found, nowMs)
    keys.used(good)
    return principalOfKey(config, good)
  }
  return (hashes) => {
    const found = hashes.map((hash) => keys.find(hash))
    return isAtHand(found) ? choose(found) : Promise.all(found.map(async (one) => one)).then(choose)
  }
}

type Found = UsedKey | undefined | Promise<UsedKey | undefined>

function isAtHand(found: readonly Found[]): found is readonly (UsedKey | undefined)[] {
  return !found.some((one) => one instanceof Promise)
}

function principalOfKey(config: GatewayConfig, key: UsedKey): Principal {
  const { tenant, id: keyId, team, user, scopes, allowedModels, allowedRoutes, budgets: limits } = key
  return {
    tenant,
    keyId,
    ...(team !== undefined && { team }),
    ...(user !== undefined && { user }),
    scopes,
    ...(allowedModels && { allowedModels }),
    ...(allowedRoutes && { allowedRoutes }),
    ...(limits && { spending: { name: key.budgetsOf ?? keyId, limits } }),
    limits: settingsFor(config, tenant).limits,
  }
}

export function unauthorized(presented: boolean): PrehendError {
  const remedy = 'Send a token of this gateway as "Authorization: Bearer …" or "x-api-key".'
  return refusal(presented ? 'The token is not known here.' : 'A token is missing.', remedy)
}

/** Whoever has a key's secret learns what became of the key; of a secret that is not known nothing is said. */
function refused(found: readonly (UsedKey | undefined)[], nowMs: number): PrehendError {
  const key = found.find((one) => one !== undefined)
  if (key === undefined) return unauthorized(true)
  const state = keyState(key, nowMs)
  const at = (ms = 0): string => new Date(ms).toISOString()
  if (state === 'revoked')
    return refusal(`The key ${key.prefix}… was revoked at ${at(key.revokedMs)}.`, 'Ask for another one.')
  const replaced = `The key ${key.prefix}… was replaced by ${key.replacedBy}, and ended at ${at(key.expiresMs)}.`
  if (state === 'replaced') return refusal(replaced, 'Use the new one.')
  return refusal(`The key ${key.prefix}… expired at ${at(key.expiresMs)}.`, 'Ask for another one.')
}

function refusal(problem: string, remedy: string): PrehendError {
  return new PrehendError('unauthorized', `${problem} ${remedy}`, { remedy })
}
