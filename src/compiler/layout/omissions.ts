import type { Hasher, Omission, ReasonCode, Section } from '../../core/index.ts'
import { rehydrateToolName, whyOmitted } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { sharedLength } from '../items/read-candidates.ts'
import { goneOn } from '../items/same-elements.ts'
import { lineDigest } from '../items/digest.ts'
import type { ListDigest } from '../items/digest.ts'
import type { SectionForms } from '../stages/section-forms.ts'

export interface OmittedItems {
  readonly list: CandidateList
  /** Indexes of the candidates of each section. */
  readonly members: ReadonlyMap<Section, readonly number[]>
  /** The form of each candidate; undefined where it is left out. */
  readonly forms: readonly (Form | undefined)[]
  /** What of them each section shows, where that is known. */
  readonly sections?: ReadonlyMap<Section, SectionForms> | undefined
  /** Why an item may not be shown; undefined where there was no room, and absent where that is so of all. */
  readonly reasonOf?: ((index: number) => ReasonCode | undefined) | undefined
  /** The handle of a text under the key of the compile. */
  handleOf(text: string): string
}

export type ListOmissions = (omitted: OmittedItems) => readonly Omission[]

/**
 * Sections of which a payload tells what is left out, in the order of the sections. What is left out of a long payload is mostly left
 * out again for the same reason, so that a list goes on where it differs from the one before.
 */
export function omissionLister(hash: Hasher): ListOmissions {
  const known = new Map<Section, Listed>()
  return (omitted) => {
    const found: Omission[] = []
    for (const [section, members] of omitted.members) {
      const before = known.get(section) ?? { ...nothingListed, digest: lineDigest(hash) }
      const own = { section, members, omitted }
      const listed = listedAgain(before, own) ?? listedNow(before, own)
      if (known.size >= rememberedSections) known.clear()
      known.set(section, listed)
      const items = listed.lines.length
      if (items > 0) found.push({ section, items, handle: omitted.handleOf(`omitted\0${section}\0${listed.hash}`) })
    }
    return found
  }
}

/** Sections have any name; a caller that makes up new ones must not fill the memory. */
const rememberedSections = 64

/** What of a section was left out, in order: place, reason and line of each. */
interface Listed {
  /** Of the list of candidates. */
  readonly version: number
  readonly indexes: readonly number[]
  readonly reasons: readonly ReasonCode[]
  readonly lines: readonly string[]
  readonly hash: string
  readonly digest: ListDigest<string>
  /** What the section showed, and of which members, where everything else was left out for want of room. */
  readonly shown: SectionForms | undefined
  readonly members: readonly number[]
}

const nothingListed: Omit<Listed, 'digest'> = {
  version: 0,
  indexes: [],
  reasons: [],
  lines: [],
  hash: '',
  shown: undefined,
  members: [],
}

interface InSection {
  readonly section: Section
  readonly members: readonly number[]
  readonly omitted: OmittedItems
}

/** Of the same members the same are shown. */
function listedAgain(before: Listed, { section, members, omitted }: InSection): Listed | undefined {
  const { sections, list, reasonOf } = omitted
  if (before.shown === undefined || reasonOf !== undefined) return undefined
  if (before.members !== members || before.shown !== sections?.get(section)) return undefined
  return { ...before, version: list.version }
}

function listedNow(before: Listed, { section, members, omitted }: InSection): Listed {
  const { version, candidates } = omitted.list
  const shown = omitted.reasonOf === undefined ? omitted.sections?.get(section) : undefined
  const { kept, next } = keptLines(before, members, omitted)
  if (next === members.length && kept === before.lines.length) return { ...before, version, shown, members }
  const fresh: { readonly [Name in 'indexes' | 'reasons' | 'lines']: Listed[Name][number][] } = {
    indexes: [],
    reasons: [],
    lines: [],
  }
  for (let at = next; at < members.length; at += 1) {
    const index = members[at] ?? 0
    const reason = reasonAgainst(index, omitted)
    const candidate = candidates[index]
    if (reason === undefined || candidate === undefined || candidate.item.text === '') continue
    fresh.indexes.push(index)
    fresh.reasons.push(reason)
    fresh.lines.push(lineOf(candidate, reason))
  }
  const indexes = goneOn(before.indexes, kept, fresh.indexes)
  const reasons = goneOn(before.reasons, kept, fresh.reasons)
  const lines = goneOn(before.lines, kept, fresh.lines)
  const { digest } = before
  return { version, indexes, reasons, lines, digest, hash: digest(lines, kept), shown, members }
}

/** How many lines at the front stay as they were, and the place of the member where the first other one may stand. */
function keptLines(
  before: Listed,
  members: readonly number[],
  omitted: OmittedItems,
): { readonly kept: number; readonly next: number } {
  const shared = sharedLength(omitted.list, before.version)
  let kept = 0
  for (let at = 0; at < members.length; at += 1) {
    const index = members[at] ?? 0
    const reason = reasonAgainst(index, omitted)
    if (reason === undefined) continue
    if (index >= shared || before.indexes[kept] !== index || before.reasons[kept] !== reason) return { kept, next: at }
    kept += 1
  }
  return { kept, next: members.length }
}

/** Undefined of what stands in the pack, itself or as a copy. */
function reasonAgainst(index: number, { forms, reasonOf }: OmittedItems): ReasonCode | undefined {
  if (forms[index] !== undefined) return undefined
  const reason = reasonOf?.(index)
  return reason === 'duplicate' ? undefined : (reason ?? 'section-budget')
}

/** Its line, which ends with the hash of its content. */
function lineOf({ item, contentHash, memo }: Candidate, reason: ReasonCode): string {
  if (memo.omission?.reason !== reason)
    memo.omission = { reason, line: `${whyOmitted(reason)} ${JSON.stringify(item.id)} ${contentHash}` }
  return memo.omission.line
}

/** Handles differ in no digit that a tokenizer would count another way. */
export const anyHandle = '0'.repeat(12)

/** Follows the words that say how much is not shown. */
function omissionCall(handle: string): string {
  return `: ${rehydrateToolName}("${handle}")`
}

/** What of a pack is not shown. */
export interface LeftOutOf {
  readonly missing: Readonly<Record<'evidence' | 'memory' | 'history', number>>
  readonly omissions: readonly Omission[]
}

/** Nothing is left out without the reader being told. */
export function conversationNote({ missing, omissions }: LeftOutOf): string {
  const { handle } = omissions.find(({ section }) => section === 'history') ?? {}
  if (missing.history === 0) return 'complete'
  return `${missing.history} earlier messages not shown${handle === undefined ? '' : omissionCall(handle)}`
}

/** How much of a section is not shown; of sections whose handles cannot be followed only where readers look for it. */
export function missingNote({ missing, omissions }: LeftOutOf, section: Section): string | undefined {
  const omission = omissions.find((one) => one.section === section)
  const counts: Readonly<Partial<Record<string, number>>> = missing
  const count = counts[section] ?? omission?.items ?? 0
  if (count === 0) return undefined
  const what = section === 'situation' ? `${count} more of the situation not shown` : `${count} more not shown`
  return `${what}${omission === undefined ? '' : omissionCall(omission.handle)}`
}
