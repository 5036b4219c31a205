import type { ReasonCode, ReliefRecord, Section } from '../../core/index.ts'
import type { ConversationPlan, OpenConversation } from '../epochs/index.ts'
import type { Form } from '../forms/form.ts'
import type { LadderSetting } from '../items/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import type { Allocated, Shortage } from './allocate.ts'
import type { HistoryCut } from './compress-history.ts'
import type { CutInput } from './cut-history.ts'
import type { SectionForms } from './section-forms.ts'

/** What a layout does with a conversation's bytes, which stand in a provider's cache. */
export type Constancy =
  /** It is cut where the last request cut it, as long as that fits. */
  | {
      readonly kind: 'cut'
      /** Where the last request cut it, as indexes of candidates. */
      readonly held: HistoryCut | undefined
      /** Share of the budget that a new cut leaves in use. */
      readonly cutShare: number
    }
  /** Every item stays as it was shown until an epoch begins. */
  | {
      readonly kind: 'epochs'
      readonly conversation: OpenConversation
      /** 1 for items that no request has shown yet and that the conversation can do without. */
      readonly free: Uint8Array
      /** Sections whose maximum the conversation must keep. */
      readonly capped: ReadonlySet<Section>
      readonly mayFillUp: boolean
    }

export interface CompressInput extends Allocated {
  readonly candidates: readonly Candidate[]
  readonly scores: Float64Array
  /** Place of each candidate among equals; absent where it is that of its arrival. */
  readonly order?: Uint32Array | undefined
  readonly pinned: Uint8Array
  readonly grouped: boolean
  readonly spanning: readonly (readonly number[])[]
  /** Why candidates are not shown. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
  readonly without: ReadonlyMap<number, ReasonCode>
  /** For the items; what no item owns is taken off. */
  readonly itemTokens: number
  /** What each item takes as it stands. */
  readonly standingTokens: ArrayLike<number>
  readonly setting: LadderSetting
  readonly constancy: Constancy
  /** Of a payload whose policy has what is cut summarised. */
  readonly summaries?: CutInput['summaries']
  /** Of a conversation whose policy names the steps of relief. */
  readonly relief?: ReliefView | undefined
}

/** A form for each candidate, within what its section was granted. */
export interface Compressed {
  /** Undefined where the item is left out. */
  readonly forms: readonly (Form | undefined)[]
  /** The same by section, where each was chosen by itself and nothing has changed since; only of sections that have items that may be shown. */
  readonly sections?: ReadonlyMap<Section, SectionForms> | undefined
  /** What each section may take, after what was not used went to others. */
  readonly granted: ReadonlyMap<Section, number>
  /** Items that are left out because another of their group is. */
  readonly closed: ReadonlySet<number>
  /** Where a conversation was cut; absent where all of it stands as it came. */
  readonly cut?: HistoryCut & { readonly held: boolean }
  readonly conversation?: ConversationPlan
  /** The steps of relief that were taken. */
  readonly relief?: ReliefRecord
  readonly shortage?: Shortage
}
