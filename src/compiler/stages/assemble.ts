import type {
  LedgerMemory,
  LinkRecord,
  Omission,
  Pack,
  PackEntry,
  PackMessage,
  Section,
  SecurityRecord,
} from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { MadeSummary, PayloadSummary } from '../summaries/summarist.ts'
import type { CutItems } from './account.ts'
import type { Piece } from '../forms/piece.ts'
import type { SectionForms } from './section-forms.ts'

export interface AssembleInput {
  /** The form of each candidate; undefined where it is left out. */
  readonly forms: readonly (Form | undefined)[]
  /** What of them each section shows, where that is known. */
  readonly sections?: ReadonlyMap<Section, SectionForms> | undefined
  /** Indexes of the candidates of each section, in order. */
  readonly members: ReadonlyMap<Section, readonly number[]>
  /** Per candidate. */
  readonly scores: Float64Array
  /** 1 for candidates that stand whatever happens. */
  readonly pinned: Uint8Array
  /** Place of each candidate among equals; absent where it is that of its arrival. */
  readonly order?: Uint32Array | undefined
  /** How many items of a section are not shown. */
  readonly missing: Readonly<Record<'evidence' | 'memory' | 'history', number>>
  /** The handles of lists of what is not shown, by section; absent where no handle can be followed. */
  readonly omissions?: readonly Omission[] | undefined
  /** Links between items of which one at least is shown. */
  readonly links?: readonly LinkRecord[] | undefined
  /** What of the conversation is not shown, and the tokens that an account of it may take. */
  readonly cut: {
    readonly items: CutItems
    /** Whether a call of a tool may be among them. */
    readonly called: boolean
    readonly tokens: number
    readonly summary?: PayloadSummary
  }
  /** Candidates that stand in the system text for once, in their order. */
  readonly durable: readonly number[]
}

/** What is sent. */
export interface Assembled {
  /** In wire order. */
  readonly entries: readonly PackEntry[]
  /** What the entries show, in the same order. */
  readonly shown: readonly Form[]
  readonly messages: readonly PackMessage[]
  /** The pieces of each message. */
  readonly pieces: readonly (readonly Piece[])[]
  /** Everything that is sent. */
  readonly tokens: number
  /** The part of it that no item owns: headers, contract, the step's frame, message wrappers. */
  readonly frameTokens: number
  /** The part of it that the constraints of the step take, every copy counted. */
  readonly constraintTokens?: number
  /** Summaries of the conversation that stand in it; of layout `payload`. */
  readonly summaries?: readonly MadeSummary[]
  /** Tokens of the conversation that stand in it. */
  readonly historyTokens: number
  /** Where the evidence comes from, each source once, in the order of the items. */
  readonly uris: readonly string[]
}

/** How a layout writes a request. */
export interface Assembly {
  /** The same for what is written, and therefore counted, alike. */
  readonly written: string
  /** What no item owns, at most, given how many items of a section there are, and which sections tell where the rest is. */
  frameTokens(missing: AssembleInput['missing'], pointed?: readonly Section[]): number
  assemble(input: AssembleInput): Assembled
}

/** A request as it is sent; where there are pages, one of them. */
export interface Page {
  readonly assembled: Assembled
  /** Memory that stands in it, for the ledger. */
  readonly memory: readonly LedgerMemory[]
  readonly pack: Pack
  readonly security: SecurityRecord | undefined
}
