import type { CompileFigures, CompileStage, CompileWatch, StageFigures } from '../../core/index.ts'

export interface Watched<Result> {
  readonly stage: CompileStage | 'compile'
  readonly run: () => Result
  /** Asked at the end of the compile, and only where somebody watches. */
  readonly figures: (result: Result) => StageFigures | CompileFigures
}

/** Runs a stage, before the eyes of a host where one watches. */
export function watched<Result>(watch: CompileWatch | undefined, { stage, run, figures }: Watched<Result>): Result {
  if (watch === undefined) return run()
  const end = watch.begins(stage)
  let result: Result
  try {
    result = run()
  } catch (error) {
    end()
    throw error
  }
  end(() => figures(result))
  return result
}
