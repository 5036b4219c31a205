import { movedOn } from '../../kernel/store.ts'
import type { MemoryTable } from '../../kernel/table.ts'
import { keyIn } from './key-rows.ts'
import type { KeyPlace, KeyTypes, UsedKey, VirtualKey } from './virtual-key.ts'

export function memoryKeys(): MemoryTable<KeyTypes> {
  const tenants = new Map<string, Map<string, UsedKey>>()
  const byHash = new Map<string, UsedKey>()
  const find = (tenant: string, id: string): UsedKey | undefined => tenants.get(tenant)?.get(id)
  const put = (tenant: string, key: UsedKey): void => {
    const keys = tenants.get(tenant) ?? new Map<string, UsedKey>()
    tenants.set(tenant, keys.set(key.id, key))
    byHash.set(key.hash, key)
  }
  const fits = (tenant: string, { id, hash, revision }: VirtualKey): boolean => {
    const known = find(tenant, id)
    if (revision > 1) return known?.revision === revision - 1 && known.hash === hash
    return known === undefined && !byHash.has(hash)
  }
  return {
    check(write, { scope }) {
      if ('key' in write && !fits(scope.tenant, write.key)) throw movedOn(scope)
    },
    apply(write, { scope: { tenant }, nowMs }) {
      const known = find(tenant, 'key' in write ? write.key.id : write.used)
      if ('key' in write) {
        const used = known?.lastUsedMs
        put(tenant, { ...write.key, tenant, ...(used !== undefined && { lastUsedMs: used }) })
      } else if (known) put(tenant, { ...known, lastUsedMs: Math.max(known.lastUsedMs ?? 0, nowMs) })
    },
    reads: {
      byHash: (hash) => byHash.get(hash),
      get: find,
      list({ tenant, limit, after }) {
        const asked = tenant === undefined ? [...byHash.values()] : [...(tenants.get(tenant)?.values() ?? [])]
        return asked
          .filter((key) => after === undefined || newestFirst(after, key) < 0)
          .toSorted(newestFirst)
          .slice(0, limit)
      },
      tenants: () => [...tenants.keys()].toSorted((one, other) => (one < other ? -1 : 1)),
    },
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, keys] of tenants)
          if (asked === undefined || asked === tenant)
            for (const { lastUsedMs = null, ...key } of keys.values()) {
              const { id, hash, createdMs, revision } = key
              const cells = [tenant, id, hash, createdMs, revision, JSON.stringify(key), lastUsedMs]
              yield { relation: 'keys', cells }
            }
      },
      put: ({ cells: [tenant, , , , , value, used_ms = null] }) =>
        put(String(tenant), keyIn({ tenant, value, used_ms })),
      drop(tenant) {
        const keys = tenants.get(tenant)
        tenants.delete(tenant)
        for (const { hash } of keys?.values() ?? []) byHash.delete(hash)
        return keys?.size ?? 0
      },
    },
  }
}

function newestFirst(one: KeyPlace, other: KeyPlace): number {
  return other.createdMs - one.createdMs || (one.id === other.id ? 0 : one.id > other.id ? -1 : 1)
}
