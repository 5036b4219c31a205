/** An item whose lines are shown. */
export interface LineSource {
  /** Ledger key of the item. */
  readonly key: string
  /** Its number among the tool results. */
  readonly step: number
  /** Whether the lines are those of the step's call, not of its result. */
  readonly call: boolean
}

/** Where a line stands: the item that shows it and its number there (from 1). */
export interface LinePlace extends LineSource {
  readonly line: number
}

/** A run of lines that already stands in the context: `length` lines from `place` on. */
export interface LineRun {
  readonly place: LinePlace
  readonly length: number
  /** Whether its line number `offset` (from 0) stands only once in the item that shows it, so that the place can be found by it. */
  standsOnce(offset: number): boolean
}

/**
 * The lines that stand in the visible context. Adding gives a new index and leaves the old one as it was; indexes that
 * grow from one another share their storage, so adding costs no more than the text added.
 */
export interface LineIndex {
  /** Items added so far. */
  readonly size: number
  /** `lines` are what the model sees of the item. */
  add(source: LineSource, lines: readonly string[]): LineIndex
  /** A reader of runs in `lines`; one that must stay is never part of a run, and only asked about where it stands elsewhere. */
  reader(lines: readonly string[], mustStay: (line: string) => boolean): RunReader
}

/** Finds the longest run of the context's lines that begins at line `from` of the text being read. */
export interface RunReader {
  /** The longest run that begins at this line; undefined where the context does not have the line. */
  longestRun(from: number): LineRun | undefined
}
