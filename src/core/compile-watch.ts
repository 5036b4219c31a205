export const compileStages = ['filter', 'rank', 'allocate', 'compress', 'assemble', 'validate'] as const
/** The stages of a compile that take work of their own, in their order. */
export type CompileStage = (typeof compileStages)[number]

/** A stage as a receipt tells of it: what it has left, which is what the next one was given. */
export interface StageRecord {
  /** `collect` is what the host has handed in. */
  readonly stage: 'collect' | CompileStage
  readonly items: number
  /** Of `allocate`, those that it granted; from `assemble` on with what no item owns. */
  readonly tokens: number
  /** How often it ran, where not everything fitted at once and where there are pages; the figures are those of what is sent. */
  readonly runs?: number
}

/** What a stage was given and what it has left, in items and in tokens. */
export interface StageFigures {
  readonly itemsIn: number
  readonly itemsOut: number
  readonly tokensIn: number
  readonly tokensOut: number
}

/** How the whole compile came out. */
export interface CompileFigures extends StageFigures {
  readonly outcome: string
  /** By name, each in [0, 1]; absent where none is measured. */
  readonly quality?: Readonly<Record<string, number>>
}

/**
 * Told of a compile as it goes: nothing that it does changes a pack. Whoever has a clock can time the stages by it. Where there is not room
 * for everything, and where there are pages, a stage begins more than once.
 */
export interface CompileWatch {
  /** A stage begins; `compile` is all of them, and what comes before and after. */
  begins(stage: CompileStage | 'compile'): StageEnd
}

/**
 * A stage has ended. Its figures can be asked for once all of the compile has; it has none where it threw.
 */
export type StageEnd = (figures?: () => StageFigures | CompileFigures) => void
