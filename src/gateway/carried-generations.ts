import { isDeepStrictEqual } from 'node:util'
import { invalidInput } from '../core/index.ts'
import type { GatewayConfig } from './config.ts'
import { generation } from './generation.ts'
import type { Generation } from './generation.ts'
import { requireTokenBeyondLoopback } from './http/authenticate.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'
import type { SharedParts } from './shared-parts.ts'
import { auditReload } from './upkeep/audited-changes.ts'

export interface CarriedGenerations {
  current(): Generation
  reload(next: GatewayConfig): Promise<void>
  /** Puts what tenants have in the store in force, where it has changed. */
  refresh(): Promise<void>
  retire(): Promise<void>
}

/** One configuration after the other, and what tenants have in the store beside each; one change at a time. */
export async function carriedGenerations(
  first: GatewayConfig,
  given: OpenGatewayParts,
  shared: SharedParts,
): Promise<CarriedGenerations> {
  const { tenancy, logger } = shared
  const retiring = new Set<Promise<void>>()
  let written = first
  let applied = await tenancy.applied(written)
  let current = await generation({ config: applied, written }, given, shared)
  let last: Promise<void> = Promise.resolve()

  const replace = (after: Generation): void => {
    const before = current
    current = after
    const retired = before.retire().finally(() => retiring.delete(retired))
    retiring.add(retired)
  }
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  return {
    current() {
      return current
    },
    reload(next) {
      return inTurn(async () => {
        requireTokenBeyondLoopback(next)
        requireSamePlace(current.parts.config, next)
        const nextApplied = await tenancy.applied(next)
        const after = await generation({ config: nextApplied, written: next }, given, shared)
        if (given.siblings?.records?.() ?? true) await audited({ ...given, ...shared }, current, after)
        ;[written, applied] = [next, nextApplied]
        replace(after)
        logger.info('reloaded')
      })
    },
    refresh: () =>
      inTurn(async () => {
        const next = await tenancy.applied(written)
        if (isDeepStrictEqual(next, applied)) return
        const after = await generation({ config: next, written }, given, shared)
        applied = next
        replace(after)
        logger.info('tenants-changed')
      }),
    async retire() {
      await last
      await Promise.all([current.retire(), ...retiring])
    },
  }
}

/** Throws where a configuration says of the running process what only a start can do. */
function requireSamePlace(before: GatewayConfig, next: GatewayConfig): void {
  for (const name of ['host', 'port', 'hot', 'blobs', 's3', 'otlp'] as const)
    if (!isDeepStrictEqual(before[name], next[name]))
      throw invalidInput(name, 'cannot change while the gateway runs', 'Leave it as it is, or start the gateway again.')
}

/** A reload that cannot be recorded does not take place. */
async function audited(parts: Parameters<typeof auditReload>[0], before: Generation, after: Generation): Promise<void> {
  try {
    await auditReload(parts, before.parts.config, after.parts.config)
  } catch (error) {
    await after.retire()
    throw error
  }
}
