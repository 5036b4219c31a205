import { ageClasses, compactionClasses } from './measures/recall.ts'
import type { CompactedRecall, Kept, RecallFigures } from './measures/recall.ts'
import { ratio, sum } from './session-pair.ts'
import type { SessionPair } from './session-pair.ts'

/** What of all that answers used was still there when they did, as shares; null where they used nothing of the kind. */
export interface RecallReport {
  readonly needleRecall: number | null
  readonly needleLineRecall: number | null
  /** Of strings that only calls of the agent's own had held: the share whose whole line still stood. */
  readonly ownCallLineRecall: number | null
  /** Of edits that quote what the history held: the share of which every such line still stood. */
  readonly editTextRecall: number | null
  /** The same of lines alone that one place of the history had held, without files that here-documents write for the first time. */
  readonly editOnePlaceRecall: number | null
  /** The same of these files. */
  readonly newFileTextRecall: number | null
  /** Of edits whose whole old text the history had held in one piece: the share of which it still stood so. */
  readonly editInOnePieceRecall: number | null
  /** Of strings that calls use and that only text of the assistant had held: the share that still stood. */
  readonly assistantTextRecall: number | null
  /** How often each of these was asked for; the same for every strategy. */
  readonly recallUses: RecallUses
  /** Lines of needles, and of the agent's own strings, by the steps since they last stood there. */
  readonly recallByAge: readonly AgeRecall[]
  /** Lines of the needles whose newest source was shown otherwise than recorded. */
  readonly recallWhereShortened: number | null
  /** What is recalled, by the briefs that have stood for its newest place. */
  readonly recallByCompactions: readonly CompactionRecall[]
}

export interface AgeRecall {
  /** For example `1-3`, or `41+`. */
  readonly steps: string
  readonly needles: number
  readonly recall: number | null
  readonly ownStrings: number
  readonly ownRecall: number | null
}

export interface CompactionRecall {
  /** For example `0`, or `4+`. */
  readonly compactions: string
  readonly lines: Recalled
  readonly own: Recalled
  readonly edits: Recalled
}

export interface Recalled {
  readonly uses: number
  readonly recall: number | null
}

export interface RecallUses {
  readonly lines: number
  readonly ownCalls: number
  readonly edits: number
  readonly editsOnePlace: number
  readonly newFiles: number
  readonly editsInOnePiece: number
  readonly assistantTexts: number
}

export function recallReport(pairs: readonly SessionPair[]): RecallReport {
  return {
    needleRecall: recallOf(pairs, ({ strings }) => strings),
    needleLineRecall: recallOf(pairs, ({ lines }) => lines),
    ownCallLineRecall: recallOf(pairs, ({ ownLines }) => ownLines),
    editTextRecall: recallOf(pairs, ({ edits }) => edits),
    editOnePlaceRecall: recallOf(pairs, ({ editsOfOnePlace }) => editsOfOnePlace),
    newFileTextRecall: recallOf(pairs, ({ newFiles }) => newFiles),
    editInOnePieceRecall: recallOf(pairs, ({ editsInOnePiece }) => editsInOnePiece),
    assistantTextRecall: recallOf(pairs, ({ saidStrings }) => saidStrings),
    recallUses: recallUses(pairs),
    recallByAge: ageClasses.map((most, index) => ageRecall(pairs, most, index)),
    recallWhereShortened: recallOf(pairs, ({ whereShortened }) => whereShortened),
    recallByCompactions: compactionClasses.map((name, index) => compactionRecall(pairs, name, index)),
  }
}

function recallUses(pairs: readonly SessionPair[]): RecallUses {
  const uses = (keptOf: KeptOf): number => sum(pairs, ({ figures }) => keptOf(figures.recall)?.of ?? 0)
  return {
    lines: uses(({ lines }) => lines),
    ownCalls: uses(({ ownLines }) => ownLines),
    edits: uses(({ edits }) => edits),
    editsOnePlace: uses(({ editsOfOnePlace }) => editsOfOnePlace),
    newFiles: uses(({ newFiles }) => newFiles),
    editsInOnePiece: uses(({ editsInOnePiece }) => editsInOnePiece),
    assistantTexts: uses(({ saidStrings }) => saidStrings),
  }
}

type KeptOf = (recall: RecallFigures) => Kept | undefined

function recallOf(pairs: readonly SessionPair[], keptOf: KeptOf): number | null {
  return ratio(
    sum(pairs, ({ figures }) => keptOf(figures.recall)?.kept ?? 0),
    sum(pairs, ({ figures }) => keptOf(figures.recall)?.of ?? 0),
  )
}

function ageRecall(pairs: readonly SessionPair[], most: number, index: number): AgeRecall {
  const least = (ageClasses[index - 1] ?? 0) + 1
  return {
    steps: most === Number.POSITIVE_INFINITY ? `${least}+` : `${least}-${most}`,
    needles: sum(pairs, ({ figures }) => figures.recall.byAge[index]?.of ?? 0),
    recall: recallOf(pairs, ({ byAge }) => byAge[index]),
    ownStrings: sum(pairs, ({ figures }) => figures.recall.ownByAge[index]?.of ?? 0),
    ownRecall: recallOf(pairs, ({ ownByAge }) => ownByAge[index]),
  }
}

function compactionRecall(pairs: readonly SessionPair[], compactions: string, index: number): CompactionRecall {
  const recalled = (of: (recall: CompactedRecall) => Kept): Recalled => {
    const keptOf: KeptOf = ({ byCompactions }) => byCompactions[index] && of(byCompactions[index])
    return { uses: sum(pairs, ({ figures }) => keptOf(figures.recall)?.of ?? 0), recall: recallOf(pairs, keptOf) }
  }
  return {
    compactions,
    lines: recalled(({ lines }) => lines),
    own: recalled(({ ownLines }) => ownLines),
    edits: recalled(({ edits }) => edits),
  }
}
