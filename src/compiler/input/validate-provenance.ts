import type { Item, Policy, Provenance, ProvenanceLevel, ProvenanceRecord } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { sharedLength } from '../items/read-candidates.ts'

/** Everything that evidence says about its origin; undefined where it does not say it in a way that tells anything. */
const members: Readonly<Record<string, (provenance: Provenance) => unknown>> = {
  sourceId: ({ sourceId }) => told(sourceId),
  retrievedAt: ({ retrievedAt }) => (isTime(retrievedAt) ? retrievedAt : undefined),
  authorityScore: ({ authorityScore }) => authorityScore,
  relevanceScore: ({ relevanceScore }) => relevanceScore,
  span: ({ span }) => (span !== undefined && span[0] <= span[1] ? span : undefined),
  lineage: ({ lineage }) => told(lineage),
}
const names = Object.keys(members)

/** What a policy that says nothing asks for. */
const usualLevel: ProvenanceLevel = 'full'

/** Tells what the receipt says about the origin of evidence. */
export type ReadProvenance = (list: CandidateList, policy: Policy) => ProvenanceRecord | undefined

/** What the first so many items say of their origins. */
interface Heard {
  readonly level: ProvenanceLevel
  readonly length: number
  readonly pieces: number
  readonly said: number
  readonly anonymousIds: readonly string[]
}

/** A reader that looks again only where the items, or what is asked of them, have changed. */
export function provenanceReader(): ReadProvenance {
  let known: Heard | undefined
  let version = 0
  return (list, { provenance: level = usualLevel }) => {
    const mayGoOn = known?.level === level && known.length <= sharedLength(list, version)
    const start = mayGoOn && known !== undefined ? known : { level, length: 0, pieces: 0, said: 0, anonymousIds: [] }
    known = undefined
    known = heardFrom(list.candidates, start)
    version = list.version
    return recordOf(known)
  }
}

/**
 * Throws `invalid-input` that names the first thing that a piece of evidence does not say about its origin although the
 * policy asks for it.
 */
function heardFrom(candidates: readonly Candidate[], start: Heard): Heard {
  const { level } = start
  const anonymousIds = [...start.anonymousIds]
  let { pieces, said } = start
  for (let index = start.length; index < candidates.length; index += 1) {
    const candidate = candidates[index]
    if (candidate === undefined || !isEvidence(candidate.item)) continue
    const { item, memo } = candidate
    const missing = (memo.untold ??= missingOf(item))
    if (level !== 'none') refuse(missing, level, index)
    if (item.provenance === undefined) anonymousIds.push(item.id)
    pieces += 1
    said += names.length - missing.length
  }
  return { level, length: candidates.length, pieces, said, anonymousIds }
}

function recordOf({ level, pieces, said, anonymousIds }: Heard): ProvenanceRecord | undefined {
  if (pieces === 0) return undefined
  const coverage = said / (pieces * names.length)
  return { required: level, coverage, ...(anonymousIds.length > 0 && { anonymousIds }) }
}

/** Whatever section it stands in. */
function isEvidence({ section, kind }: Item): boolean {
  return section === 'evidence' || kind === 'evidence'
}

function missingOf({ provenance }: Item): readonly string[] {
  return provenance === undefined ? names : names.filter((name) => members[name]?.(provenance) === undefined)
}

function refuse(missing: readonly string[], required: 'source' | 'full', index: number): void {
  const at = `items[${index}].provenance`
  if (missing.length === names.length)
    throw invalidInput(at, 'is missing', 'Say where the evidence comes from: at least a sourceId.')
  const [first] = required === 'full' ? missing : missing.filter((name) => name === 'sourceId')
  if (first !== undefined)
    throw invalidInput(
      `${at}.${first}`,
      'is missing or tells nothing',
      'Give it, or a policy whose `provenance` is `source`.',
    )
}

function told(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text
}

/** An ISO-8601 date, with or without a time of day. */
function isTime(text: string | undefined): boolean {
  return (
    text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.,]+(?:Z|[+-][\d:]+)?)?$/.test(text)
  )
}
