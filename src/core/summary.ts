export const summaryModes = ['off', 'oneshot', 'rolling', 'checkpoint', 'pyramid'] as const
/** How what was said before the newest turns is summarised: not at all, in one, in a few bullets, block by block, or in levels of blocks. */
export type SummaryMode = (typeof summaryModes)[number]

export const conversationPresets = ['chat', 'agent', 'stateless'] as const
/** Who talks, which bounds how many turns stand as they were said: 10 of a chat, 5 of an agent, none where each call stands by itself. */
export type ConversationPreset = (typeof conversationPresets)[number]

export const summaryWriters = ['extractive', 'model'] as const
/** Who writes summaries: rules that quote what was said, or a model that the host asks. */
export type SummaryWriter = (typeof summaryWriters)[number]

export const summaryRecalls = ['optional', 'required'] as const
/** Whether dialogue is summarised only where the model can bring it back, or also in a chat that offers no tools. */
export type SummaryRecall = (typeof summaryRecalls)[number]

/** How the history is summarised once it exceeds what it was granted. */
export interface SummaryPolicy {
  /** `checkpoint` by default. */
  readonly mode?: SummaryMode
  /** `chat` by default. */
  readonly preset?: ConversationPreset
  /** Most turns that stand as they were said while there is want of room, in place of the preset's. */
  readonly recentTurns?: number
  /** The newest turns that always do; 3 by default. */
  readonly leastTurns?: number
  /** Turns of a block; only complete ones are summarised. 5 by default. */
  readonly blockTurns?: number
  /** Of mode `pyramid`: so many summaries are summarised in turn; 5 by default. */
  readonly foldBlocks?: number
  /** What a summary may take of its turns' tokens, as a share; 0.3 by default. */
  readonly keepRatio?: number
  /** A summary may take so many tokens however short its turns are; 80 by default. */
  readonly leastTokens?: number
  /** And no more than so many; 2,000 by default. */
  readonly mostTokens?: number
  /** Of mode `rolling`: most bullets; 5 by default. */
  readonly bullets?: number
  /** `optional` by default: a client keeps what it has said, and people bring it back by its handle. */
  readonly recall?: SummaryRecall
  /** `extractive` by default. */
  readonly writer?: SummaryWriter
}

/** One side's words in one turn of a conversation. */
export interface SummaryTurn {
  /** Ordinal of the turn, from 1. */
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export const summaryMarks = ['must hold', 'corrected', 'decided'] as const
/** What a line is beside being said: it binds, it takes back what was said before, or it settles something. */
export type SummaryMark = (typeof summaryMarks)[number]

/** A line of a conversation, word for word. */
export interface SummaryLine extends SummaryTurn {
  readonly mark?: SummaryMark
}

/** What some turns come to. */
export interface Summary {
  /** In the order in which they were said. */
  readonly lines: readonly SummaryLine[]
  /** Tables of entities and states, as they stood last, word for word. */
  readonly tables: readonly string[]
  /** What a model has written of the rest; absent where it is quoted. */
  readonly prose?: string
}

/** What a summary is written for. */
export interface SummarizeOptions {
  readonly targetTokens: number
  /** Counts the tokens of a text. */
  count(text: string): number
  /** What is asked now: lines that have to do with it are worth more. */
  readonly focus?: string
  /** Names what is summarised: the same turns have the same. */
  readonly key?: string
  readonly signal?: { readonly aborted: boolean }
}

/** Makes summaries. One that fails, or breaks off, rejects; nobody waits for it. */
export interface Summarizer {
  /** Another one wherever it would write otherwise. */
  readonly id: string
  /** Writes a summary of turns, of about `targetTokens`. */
  summarize(turns: readonly SummaryTurn[], options: SummarizeOptions): Promise<Summary>
}

/** A summary that somebody has written before the compile, by the content that it summarises. */
export interface GivenSummary {
  /** Hash of what was said, see `summaryKey`. */
  readonly key: string
  /** The summarizer that wrote it. */
  readonly writer: string
  readonly prose: string
}
