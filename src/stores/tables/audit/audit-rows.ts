import type { Row } from '../../kernel/table.ts'
import type { AuditEntry, AuditedChange, AuditWrite } from './audit-entry.ts'

export function auditRow({ actor, action, target, from, beforeHash, afterHash }: AuditWrite): Row {
  return [actor, action, target, from, beforeHash ?? null, afterHash ?? null]
}

export function changeIn([actor, action, target, from, beforeHash, afterHash]: Row): AuditedChange {
  return {
    actor: String(actor),
    action: String(action),
    target: String(target),
    from: String(from),
    ...(typeof beforeHash === 'string' && { beforeHash }),
    ...(typeof afterHash === 'string' && { afterHash }),
  }
}

export const auditColumns =
  'tenant, seq, at_ms, actor, action, target, came_from, before_hash, after_hash, previous_hash, hash'

/** In the order of the columns. */
export function auditValues(entry: AuditEntry) {
  const { tenant, seq, atMs, actor, action, target, from, beforeHash = null, afterHash = null } = entry
  return [tenant, seq, atMs, actor, action, target, from, beforeHash, afterHash, entry.previousHash, entry.hash]
}

/** An entry, by the names of its columns. */
export function auditIn(row: Readonly<Record<string, unknown>>): AuditEntry {
  const { tenant, actor, action, target, came_from: from, before_hash: beforeHash, after_hash: afterHash } = row
  return {
    seq: Number(row['seq']),
    atMs: Number(row['at_ms']),
    tenant: String(tenant),
    ...changeIn([String(actor), String(action), String(target), String(from), textOr(beforeHash), textOr(afterHash)]),
    previousHash: String(row['previous_hash']),
    hash: String(row['hash']),
  }
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
