import type { Omission, ReasonCode, Section } from '../../core/index.ts'
import { rehydrateToolName, whyOmitted } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'

export interface OmittedItems {
  readonly list: CandidateList
  /** Indexes of the candidates of each section. */
  readonly members: ReadonlyMap<Section, readonly number[]>
  isShown(index: number): boolean
  /** Why an item may not be shown; undefined where there was no room. */
  reasonOf(index: number): ReasonCode | undefined
  /** The handle of a text under the key of the compile. */
  handleOf(text: string): string
}

/** Sections of which a payload tells what is left out, in the order of the sections. */
export function omissionsOf({ list, members, isShown, reasonOf, handleOf }: OmittedItems): readonly Omission[] {
  const found: Omission[] = []
  for (const [section, indexes] of members) {
    const lines: string[] = []
    for (const index of indexes) {
      const reason = isShown(index) ? 'duplicate' : reasonOf(index)
      const candidate = list.candidates[index]
      if (reason === 'duplicate' || candidate === undefined || candidate.item.text === '') continue
      lines.push(lineOf(candidate, reason ?? 'section-budget'))
    }
    if (lines.length > 0)
      found.push({ section, items: lines.length, handle: handleOf(`omitted\0${section}\0${lines.join('\n')}`) })
  }
  return found
}

/** What is left out of a long payload is mostly left out again, for the same reason. */
function lineOf({ item, contentHash, memo }: Candidate, reason: ReasonCode): string {
  if (memo.omission?.reason !== reason)
    memo.omission = { reason, line: `${item.id}\0${contentHash}\0${whyOmitted(reason)}` }
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
