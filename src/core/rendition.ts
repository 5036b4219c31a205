import type { ProseWish } from './compression.ts'
import type { Item } from './item.ts'
import type { LineIndex } from './line-index.ts'
import type { MediaMaking, MediaPolicy } from './media-policy.ts'
import type { EpochPolicy, ToolSchemaLevel } from './policy-parts.ts'

export const rungs = ['full', 'lossless', 'trimmed', 'summary', 'line', 'pointer', 'omitted'] as const
/** The rungs of a ladder, dearest first. */
export type Rung = (typeof rungs)[number]

/** A run of lines of another item that a rendition points at; it is only true while that item shows them. */
export interface LineReference {
  /** Ledger key of the item that shows the lines. */
  readonly key: string
  /** From 1, in that item's text as it is shown. */
  readonly firstLine: number
  readonly lines: number
  /** Line (from 1) of the referring rendition that stands for them. */
  readonly at?: number
}

/** One way to show an item. */
export interface Rendition {
  readonly rung: Rung
  readonly text: string
  readonly tokens: number
  /** Share of the original that a reader still has, in [0, 1]; 1 when nothing is lost. */
  readonly fidelity: number
  /** The handle under which the original is kept; present on every rung that loses something. */
  readonly handle?: string
  readonly references?: readonly LineReference[]
  /** True where the text names no handle, since the request that first showed it offers no tool to follow one. */
  readonly unhandled?: boolean
  /** Nothing that it hides is expected to be used: it may stand also where a policy hides no whole item. */
  readonly expendable?: boolean
}

/** Lines with which results of a tool usually begin and end, learnt from those of a conversation. */
export interface UsualEnds {
  readonly head: readonly string[]
  readonly tail: readonly string[]
  /** Whether the context says already that they are left out. */
  readonly isSaid: boolean
  /** The newest step before that shows them. */
  readonly step?: number
}

/** Names whose lines must stay. */
export interface KeptNames {
  readonly names: ReadonlySet<string>
  /** Words that are none by their structure. */
  readonly words: ReadonlySet<string>
  /** Lines that stay on each side. */
  readonly around: number
}

/** What is known of the conversation that an item stands in; a ladder may use any of it. */
export interface ConversationContext {
  /** The lines that stand before the item; given on its first appearance, so that it can refer to them. */
  readonly shownLines?: LineIndex
  /** Whether references to them name no tool, since the request has none yet that follows handles. */
  readonly brief?: boolean
  /** How results of the item's tool usually begin and end; given on its first appearance. */
  readonly usualEnds?: UsualEnds
  /** Names that the context shows elsewhere; given where the item may be shortened. */
  readonly visible?: ReadonlySet<string>
  /** What lines that the context shows elsewhere say in words and figures, told apart by numbers. */
  readonly said?: {
    /** Whether the context shows a line with this number. */
    has(key: number): boolean
  }
  /** Whether pictures and files that stand in a text as base64 may be left out on its first appearance. */
  readonly mayCutData?: boolean
  /** Steps since the item appeared. */
  readonly age?: number
  /** Expected uses of each line beside what its names tell: any line of a file that is being edited may be quoted. */
  readonly everyLine?: number
  /** Expected later uses that a line must have per token to stay. */
  readonly lineWorth?: number
  /** Whether that price is of characters, a usual token's worth of them at a time, whatever the tokenizer counts. */
  readonly pricesCharacters?: boolean
  /** Names whose lines stay, with so many lines on each side. */
  readonly keeps?: KeptNames
  /** Whether a text of the model's is old: its first and deciding sentences and its questions are wanted. */
  readonly isOldText?: boolean
  /** Whether the item shows a file that was changed a few steps before: whoever looks wants to see it, and not where it stood. */
  readonly looksAfterEdit?: () => boolean
  /** Whether the very same call was made again later: of its failures one is told. */
  readonly askedAgain?: () => boolean
  /** Of a picture, a recording or a file that a tool has brought: the arguments of its call. */
  readonly called?: () => string | undefined
  /** Strings in tool calls longer than this many tokens may be shortened. */
  readonly callTokens?: number
  /** Texts of at least so many tokens that the call's edit has replaced may go; given where the edit was made. */
  readonly replacedTokens?: number
  /** Whether a line of a string of a call is spent; given where no other line of the model's own calls may go. */
  readonly spent?: (text: string) => (line: string) => boolean
  /** Words of what the user asked last and of the open tasks, in lower case. */
  readonly asked?: () => ReadonlySet<string>
  /** The same as stems, in lower case; of scripts without blanks every two neighbouring characters. */
  readonly askedTerms?: () => ReadonlySet<string>
  /** The names of programs in it, in lower case. */
  readonly askedNames?: () => ReadonlySet<string>
  /** Shares of the item at which shorter forms are wanted besides; given where there is want of room. */
  readonly shares?: readonly number[]
  /** Whether results are wanted by their head, tail and failures, and calls by the first line of each long string. */
  readonly outline?: boolean
  /** False where nothing could bring back what a form leaves out, so that only those that say the same are wanted. */
  readonly mayLose?: boolean
  /** The dearest loss that the policy allows. */
  readonly lowestRung?: EpochPolicy['lowestRung']
  /** Whether the item must keep its bytes as long as it is shown whole: it is what a file holds, of which edits quote. */
  readonly exact?: boolean
}

/** What a ladder is given of its item, its handle and its request. */
export interface LadderContext {
  /** Token count of a text under the pack's tokenizer. */
  count(text: string): number
  /** The handle that brings the original of this item back. */
  readonly handle: string
  /** Whether nothing follows handles, so that what may be shown without one says nothing of it. */
  readonly unhandled?: boolean
  /** The step (ordinal of the tool result in the session) that the one-line form names. */
  readonly step?: number
  /** Words of the task and of recent turns; lines that carry them are worth more. */
  readonly focus?: ReadonlySet<string>
  /** Tools whose calls and results exist because of us. */
  readonly hiddenTools?: readonly string[]
  /** Whether a tool's definition is also wanted without its examples. */
  readonly examples?: boolean
  /** How far a tool's definition may be shortened; `truncate` by default. */
  readonly schemas?: ToolSchemaLevel
  /** Whether texts may take a form that says the same in less; they may by default. */
  readonly losslessForms?: boolean
  /** How far prose may be shortened by words and sentences; it may not where absent. */
  readonly prose?: ProseWish
  /** What a policy makes of media, and what can be made; nothing is to be made of it where absent. */
  readonly media?: MediaWish
  /** Of items whose bytes stay in a provider's cache; absent where every item is shown anew. */
  readonly conversation?: ConversationContext
}

/** What a ladder of media is told. */
export interface MediaWish extends Pick<MediaPolicy, 'images' | 'audio'> {
  readonly making: MediaMaking
  /** Whether only what the policy wants of what comes in is asked for, not what is shorter for want of room. */
  readonly arriving?: boolean
}

/** Makes the renditions of an item, dearest first, never one larger than the original. Pure. */
export type LadderMaker = (item: Item, context: LadderContext) => readonly Rendition[]
