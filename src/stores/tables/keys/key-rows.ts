import type { Row } from '../../kernel/table.ts'
import type { KeyWrite, UsedKey, VirtualKey } from './virtual-key.ts'

/** A key as `[id, hash, createdMs, revision, json]`, a use of one as `[id]`. */
export function keyRow(write: KeyWrite): Row {
  if ('used' in write) return [write.used]
  const { id, hash, createdMs, revision } = write.key
  return [id, hash, createdMs, revision, JSON.stringify(write.key)]
}

export const keyColumns = 'tenant, value, used_ms'

/** A key, by the names of its columns. */
export function keyIn(row: Readonly<Record<string, unknown>>): UsedKey {
  const { used_ms: usedMs } = row
  const key = JSON.parse(String(row['value'])) as VirtualKey
  return { ...key, tenant: String(row['tenant']), ...(usedMs !== null && { lastUsedMs: Number(usedMs) }) }
}
