import type { CompileInput, Hasher, LedgerEntry, Policy } from '../../core/index.ts'
import { perObject, stableJson } from '../../core/index.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { sharedLength } from '../items/read-candidates.ts'
import type { Candidate } from '../items/candidate.ts'
import { lineDigest, listDigest } from '../items/digest.ts'

/**
 * The hash of everything that a compile depends on: the items and the entries of the ledger, one line each, and the rest as
 * canonical JSON. The key of the handles goes in as a hash.
 */
export function inputHasher(hash: Hasher, tokenizerId: string): (input: CompileInput, list: CandidateList) => string {
  const itemDigest = listDigest(hash, ({ line }: Candidate) => line)
  const entryDigest = lineDigest(hash)
  let lastKey = { handleKey: '', hash: hash('') }
  const keyHash = (handleKey: string): string => {
    if (lastKey.handleKey !== handleKey) lastKey = { handleKey, hash: hash(handleKey) }
    return lastKey.hash
  }
  let version = 0
  let lastEntries: readonly LedgerEntry[] = []
  let entryLines: readonly string[] = []
  return (input, list) => {
    const unchanged = sharedLength(list, version)
    version = list.version
    const { policy, ledger, handleKey, boundary } = input
    const entries = ledger?.layout === 'messages' ? ledger.entries : []
    const sameEntries = sharedCount(lastEntries, entries)
    if (sameEntries < Math.max(entries.length, lastEntries.length))
      entryLines = [...entryLines.slice(0, sameEntries), ...entries.slice(sameEntries).map(lineOf)]
    lastEntries = entries
    // What has a line of its own is left out here.
    const settings = {
      ...input,
      items: undefined,
      policy: undefined,
      ledger: undefined,
      session: { ...ledger, entries: undefined },
      handleKey: handleKey === undefined ? undefined : keyHash(handleKey),
      boundary: boundary && { ...boundary, secret: hash(boundary.secret) },
    }
    const parts = [
      'prehend.input/1',
      tokenizerId,
      itemDigest(list.candidates, unchanged),
      entryDigest(entryLines, sameEntries),
      policyJson(policy),
      stableJson(settings),
    ]
    return hash(parts.join('\n'))
  }
}

/** There are few policies, and many conversations share one. */
const frozenJson = perObject((policy: Policy) => stableJson(policy))

function policyJson(policy: Policy): string {
  return Object.isFrozen(policy) ? frozenJson(policy) : stableJson(policy)
}

/** A line of canonical text that ends with the hash of what the item said, as a digest of lines wants it. */
function lineOf(entry: LedgerEntry): string {
  return `${stableJson(entry)} ${entry.key}`
}

/** How many entries two ledgers begin with in common: those of a decision that stands are the same objects. */
function sharedCount(before: readonly LedgerEntry[], entries: readonly LedgerEntry[]): number {
  let count = 0
  while (count < entries.length && before[count] === entries[count]) count += 1
  return count
}
