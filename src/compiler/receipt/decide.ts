import type { ManifestDecision, ReasonCode, Section } from '../../core/index.ts'
import type { ConversationPlan } from '../epochs/index.ts'
import type { Form } from '../forms/form.ts'
import type { LadderSetting } from '../items/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { sharedLength } from '../items/read-candidates.ts'
import type { SectionForms } from '../stages/section-forms.ts'
import { goneOn } from '../items/same-elements.ts'
import { decisionOf } from './decision.ts'

/** What became of the items of one compile. */
export interface DecideInput {
  readonly list: CandidateList
  /** The same for the same ranking. */
  readonly rankKey: string
  readonly setting: LadderSetting
  readonly fullTokens: ArrayLike<number>
  readonly scores: ArrayLike<number>
  readonly forms: readonly (Form | undefined)[]
  /** What of them each section shows, where that is known. */
  readonly sections?: ReadonlyMap<Section, SectionForms> | undefined
  /** Indexes of the candidates of each section, in order. */
  readonly members: ReadonlyMap<Section, readonly number[]>
  readonly dropped: ReadonlyMap<number, ReasonCode>
  readonly without: ReadonlyMap<number, ReasonCode>
  readonly closed: ReadonlySet<number>
  /** Shorter for want of room, by a step that the policy names. */
  readonly shortened?: ReadonlySet<number> | undefined
  /** Of such a policy: what stands as the last pack has left it. */
  readonly stood?: ReadonlySet<number> | undefined
  /** Forms of the pages after the first. */
  readonly later: readonly (readonly (Form | undefined)[])[]
  /** Whether the conversation was cut as in the last request, so that its bytes stay in the provider's cache. */
  readonly heldCut: boolean
  /** Of a conversation that stands as its ledger says. */
  readonly conversation: ConversationPlan | undefined
}

/** One decision per candidate, in order; for pages, those of the first. */
export type Decide = (input: DecideInput) => readonly ManifestDecision[]

/** Where an item is shown as in the compile before and nothing but its form has a say, its decision is the same. */
export function decider(): Decide {
  let last: Decided = { version: 0, key: '', forms: [], sections: undefined, decisions: [] }
  return (input) => {
    const { list, forms, sections, members, dropped, without, closed, later, heldCut, conversation } = input
    const plain =
      conversation === undefined &&
      input.shortened === undefined &&
      dropped.size + without.size + closed.size + later.length === 0
    const key = plain ? `${input.rankKey} ${input.setting.handleKey} ${heldCut}` : ''
    const same = key === last.key ? sharedLength(list, last.version) : 0
    const fresh = list.candidates.slice(same).map((candidate, at) => decide(input, same + at, candidate))
    const decisions = goneOn(last.decisions, same, fresh)
    for (const [section, indexes] of members) {
      if (same === 0 || standsAsBefore(section, { sections, last })) continue
      for (let at = 0; at < indexes.length; at += 1) {
        const index = indexes[at] ?? same
        if (index >= same) break
        const candidate = Object.is(forms[index], last.forms[index]) ? undefined : list.candidates[index]
        if (candidate !== undefined) decisions[index] = decide(input, index, candidate)
      }
    }
    last = plain ? { version: list.version, key, forms, sections, decisions } : { ...last, version: 0 }
    return decisions
  }
}

interface Decided extends Pick<DecideInput, 'forms' | 'sections'> {
  /** Of the list of candidates. */
  readonly version: number
  readonly key: string
  readonly decisions: readonly ManifestDecision[]
}

function standsAsBefore(
  section: Section,
  { sections, last }: Pick<DecideInput, 'sections'> & { last: Decided },
): boolean {
  const shown = sections?.get(section)
  return shown !== undefined && shown === last.sections?.get(section)
}

function decide(input: DecideInput, index: number, candidate: Candidate): ManifestDecision {
  const { forms, fullTokens, scores, setting, conversation } = input
  const form = forms[index]
  const rung = form?.rendition.rung ?? 'omitted'
  const isLossless = rung === 'full' || rung === 'lossless'
  const isScored = conversation === undefined || conversation.reasons[index] === undefined
  return decisionOf(candidate, {
    rung,
    reason: reasonOf(input, index, candidate),
    originalTokens: fullTokens[index] ?? 0,
    tokens: form?.tokens ?? 0,
    score: isScored ? scores[index] : undefined,
    handle:
      conversation !== undefined && (form !== undefined || conversation.renditions[index]?.handle !== undefined)
        ? (form?.rendition ?? conversation.renditions[index])?.handle
        : isLossless && candidate.dress === undefined
          ? form?.rendition.handle
          : setting.handleOf(candidate),
  })
}

function reasonOf(input: DecideInput, index: number, { item, dress, whole, refers }: Candidate): ReasonCode {
  const { forms, dropped, without, closed, later, heldCut, conversation } = input
  const form = forms[index]
  const known = dropped.get(index) ?? without.get(index) ?? (closed.has(index) ? 'group' : undefined)
  if (form === undefined && known !== undefined) return known
  if (form !== undefined && whole !== undefined && form.rendition.text === whole.text)
    return refers === true ? 'repeats' : 'compressed'
  const planned = conversation?.reasons[index]
  if (planned !== undefined) return planned
  if (form !== undefined && form.rendition.rung !== 'full' && input.shortened?.has(index) === true) return 'pressure'
  const isHeld = (heldCut && item.section === 'history') || input.stood?.has(index) === true
  if (form === undefined) {
    if (later.some((page) => page[index] !== undefined)) return 'deferred'
    return isHeld ? 'ledger' : 'section-budget'
  }
  if (form.rendition.rung === 'lossless') return dress === undefined ? 'lossless' : 'quarantined'
  if (form.rendition.rung !== 'full') return isHeld ? 'ledger' : 'section-budget'
  if (item.pin === true) return 'pinned'
  return item.frozen === true ? 'frozen' : 'fits'
}
