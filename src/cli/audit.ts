import { invalidInput } from '../core/index.ts'
import { noChains, readEntry } from '../stores/index.ts'
import type { AuditEntry, ReadChains } from '../stores/index.ts'
import { auditEntries, exportedEntries } from './audit-entries.ts'
import { command } from './command.ts'
import { placeOptions } from './keys-place.ts'
import { fittedTable } from './text-table.ts'
import { momentText } from './time-text.ts'

const actions = ['list', 'export', 'verify'] as const

export const auditCommand = command({
  name: 'audit',
  about: 'list, export and verify the log of who changed keys, policies and the configuration',
  details: [
    'prehend audit list: the newest entries first.',
    'prehend audit export: all entries as JSON lines, tenant by tenant, from the first on.',
    'prehend audit verify [FILE]: whether entries were changed or removed, in the log or in an exported file. Names the first entry that does not fit, and ends with 1.',
    'Each entry names the hash of the one before. A person who can write the whole log can also recompute all of its hashes. Keep an exported file, or the hash of its last entry, in another place, and verify with --has HASH that the log still has this entry.',
  ],
  positional: { name: 'ACTION', about: 'list, export or verify; then the FILE to verify', least: 0, most: 2 },
  options: {
    ...placeOptions,
    tenant: {
      type: 'text',
      about: 'tenant of the entries',
      placeholder: 'TENANT',
      fallback: 'all in a store, at a gateway all that the token may see',
    },
    limit: { type: 'number', about: 'of list: how many', placeholder: 'N', min: 1, fallback: '50' },
    has: { type: 'text', about: 'of verify: the hash of an entry that must be there', placeholder: 'HASH' },
  },
  examples: [
    'prehend audit list --tenant acme',
    'prehend audit export > audit.jsonl',
    'prehend audit verify audit.jsonl',
    'prehend audit verify --url http://127.0.0.1:8484 --token OPERATOR_TOKEN',
  ],
  async run({ options, positionals: [action = 'list', file], io }) {
    const { limit = 50, has, json = false, ...given } = options
    requireAction(action, file)
    if (action === 'export') {
      for await (const entry of auditEntries(given, io, 'chain')) io.out(`${JSON.stringify(entry)}\n`)
      return 0
    }
    if (action === 'list') {
      const entries: AuditEntry[] = []
      for await (const entry of auditEntries(given, io, 'newest')) if (entries.push(entry) === limit) break
      io.out(json ? `${JSON.stringify({ entries })}\n` : auditTable(entries, io.columns))
      return 0
    }
    const found = await verified(file === undefined ? auditEntries(given, io, 'chain') : exportedEntries(file, io), has)
    io.out(json ? `${JSON.stringify(asJson(found))}\n` : verdict(found))
    return isWhole(found) ? 0 : 1
  },
})

interface Verified extends ReadChains {
  /** The hash that must be there, and is not. */
  readonly missing?: string
}

async function verified(entries: AsyncIterable<AuditEntry>, has: string | undefined): Promise<Verified> {
  let read = noChains
  let isThere = has === undefined
  for await (const entry of entries) {
    read = readEntry(read, entry)
    isThere ||= entry.hash === has
    if (read.broken) break
  }
  return isThere || has === undefined ? read : { ...read, missing: has }
}

function isWhole({ broken, missing }: Verified): boolean {
  return broken === undefined && missing === undefined
}

function verdict(found: Verified): string {
  const { broken, missing, entries, chains } = found
  if (broken) return `not verified: entry ${broken.seq} of ${ownerOf(broken.tenant)} does not fit: ${broken.problem}\n`
  const each = [...chains.values()].map(({ tenant, firstSeq, end }) => {
    const pruned = firstSeq > 1 ? `, from ${firstSeq} on: older ones were pruned` : ''
    return `  ${ownerOf(tenant)}: ${end.seq - firstSeq + 1} entries${pruned}; last ${end.hash}\n`
  })
  const head = missing === undefined ? 'verified' : `not verified: there is no entry ${missing} among`
  return `${head}${missing === undefined ? ':' : ''} ${entries} entries\n${each.join('')}`
}

function asJson(found: Verified): object {
  const { broken, missing, entries, chains } = found
  return {
    verified: isWhole(found),
    entries,
    chains: [...chains.values()],
    ...(broken && { broken }),
    ...(missing !== undefined && { missing }),
  }
}

function ownerOf(tenant: string): string {
  return tenant === '' ? 'the installation' : `the tenant ${tenant}`
}

function auditTable(entries: readonly AuditEntry[], columns?: number): string {
  if (entries.length === 0) return 'There are no entries.\n'
  const head = ['at', 'tenant', 'entry', 'actor', 'action', 'target', 'from']
  const rows = entries.map(({ atMs, tenant, seq, actor, action, target, from }) => [
    momentText(atMs),
    tenant,
    String(seq),
    actor,
    action,
    // What a new key may do follows the id, and stands in whole with --json and in an export.
    target.split(';')[0] ?? '',
    from,
  ])
  return `${fittedTable(head, rows, { columns, drop: ['entry', 'from', 'tenant'] })}\n`
}

function requireAction(action: string, file: string | undefined): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  if (action !== 'verify' && file !== undefined)
    throw invalidInput('FILE', `is not for ${action}`, 'Leave it out, or use prehend audit verify FILE.')
}
