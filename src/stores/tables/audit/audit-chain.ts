import { stableJson } from '../../../core/index.ts'
import { sha256 } from '../../../host/index.ts'
import type { AuditEntry, AuditedChange } from './audit-entry.ts'

/** What the first entry of a chain names as the hash before it. */
export const noEntryHash = '0'.repeat(64)

export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

export interface ChainedChange {
  readonly tenant: string
  readonly atMs: number
  readonly change: AuditedChange
}

/** The entry that follows the end of a chain; the first one where there is none. */
export function nextEntry(end: ChainEnd | undefined, { tenant, atMs, change }: ChainedChange): AuditEntry {
  const { actor, action, target, from, beforeHash, afterHash } = change
  const entry = {
    seq: (end?.seq ?? 0) + 1,
    atMs,
    tenant,
    actor,
    action,
    target,
    from,
    ...(beforeHash !== undefined && { beforeHash }),
    ...(afterHash !== undefined && { afterHash }),
    previousHash: end?.hash ?? noEntryHash,
  }
  return { ...entry, hash: hashOf(entry) }
}

/** What an entry names as its own hash, if nobody has changed it. */
export function hashOf(entry: Omit<AuditEntry, 'hash'> & { readonly hash?: string }): string {
  const { hash: _, ...rest } = entry
  return sha256(stableJson(rest))
}

/** The hash of a value before or after a change. */
export function valueHash(value: unknown): string {
  return sha256(stableJson(value))
}

export interface ChainProblem {
  readonly tenant: string
  readonly seq: number
  readonly problem: string
}

/** A chain as far as it was read. */
export interface ReadChain {
  readonly tenant: string
  /** More than 1 where older entries were pruned. */
  readonly firstSeq: number
  readonly end: ChainEnd
}

/** What was read of chains: where each stands, and the first entry that does not fit. */
export interface ReadChains {
  readonly chains: ReadonlyMap<string, ReadChain>
  readonly entries: number
  readonly broken?: ChainProblem
}

export const noChains: ReadChains = { chains: new Map(), entries: 0 }

/** Reads one more entry; those of one tenant must come in their order. After the first problem nothing more is read. */
export function readEntry(read: ReadChains, entry: AuditEntry): ReadChains {
  if (read.broken) return read
  const { tenant, seq, hash } = entry
  const known = read.chains.get(tenant)
  const problem = problemOf(known, entry)
  if (problem !== undefined) return { ...read, broken: { tenant, seq, problem } }
  const chain = { tenant, firstSeq: known?.firstSeq ?? seq, end: { seq, hash } }
  return { chains: new Map(read.chains).set(tenant, chain), entries: read.entries + 1 }
}

function problemOf(known: ReadChain | undefined, entry: AuditEntry): string | undefined {
  const { seq, previousHash, hash } = entry
  if (hashOf(entry) !== hash) return 'its hash is not that of its members: the entry was changed'
  if (known === undefined)
    return seq === 1 && previousHash !== noEntryHash ? 'it names an entry before the first one' : undefined
  if (seq !== known.end.seq + 1) return `it follows entry ${known.end.seq}: entries between them are missing`
  if (previousHash !== known.end.hash) return 'it names another hash than that of the entry before it'
  return undefined
}
