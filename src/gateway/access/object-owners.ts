import { withinDeadline } from '../../sessions/index.ts'
import { installation, objectKey } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'

/** Which tenant an object that a provider keeps was made for. */
export interface ObjectOwners {
  /** Notes the objects that a tenant's request has made. */
  claim(upstream: string, tenant: string, ids: readonly string[]): Promise<void>
  /** Whether an object was made for the tenant. */
  belongs(upstream: string, tenant: string, id: string): Promise<boolean>
}

export interface ObjectOwnersOptions {
  readonly store: Store
  readonly clock: () => number
  readonly limitMs: number
}

const dayMs = 86_400_000
/** Objects that are remembered without asking the store. */
const mostKnown = 10_000

/** Keeps owners in the store, for as long as sessions that nobody uses. */
export function objectOwners({ store, clock, limitMs }: ObjectOwnersOptions): ObjectOwners {
  const known = new Map<string, string>()
  const note = (at: string, tenant: string): void => {
    if (known.size >= mostKnown) known.clear()
    known.set(at, tenant)
  }
  const written = (key: string, tenant: string): Promise<void> =>
    store.commit({ scope: installation, nowMs: clock(), writes: [{ table: 'object-owners', key, value: tenant }] })
  const standing = (key: string) => store.read('object-owners').get(installation.tenant, key)
  return {
    async claim(upstream, tenant, ids) {
      const fresh = ids.map((id) => objectKey(upstream, id)).filter((at) => !known.has(at))
      const claimed = fresh.map(async (at) => {
        await written(at, tenant)
        note(at, (await standing(at))?.value ?? tenant)
      })
      await withinDeadline(Promise.all(claimed), limitMs)
    },
    async belongs(upstream, tenant, id) {
      const at = objectKey(upstream, id)
      const owner = await withinDeadline(standing(at), limitMs)
      if (owner?.value !== tenant) return false
      if (clock() - owner.writtenMs > dayMs) await written(at, tenant)
      return true
    },
  }
}
