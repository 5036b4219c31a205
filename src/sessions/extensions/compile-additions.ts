import { callable, shape, withMethods } from '../../core/index.ts'
import type { InjectionDetector, InjectionScore, LadderMaker } from '../../core/index.ts'
import type { Scorer } from '../../compiler/index.ts'
import { heuristicDetector } from '../../defense/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import type { CompileExtras } from '../compilers.ts'
import { sourceShape } from '../collect/source.ts'
import { hiddenToolShape } from '../tools/hidden-tool-shape.ts'
import type { CompileAdditions, OwnLadder, SessionAdditions } from './extension.ts'

const shapes = {
  sources: shape.list(sourceShape),
  tools: shape.list(hiddenToolShape),
  ladders: shape.list(callable()),
  scorers: shape.list(callable()),
  detectors: shape.list(withMethods<InjectionDetector>('a detector', ['score'])),
} as const

/** Throws `invalid-input` that names the first tool, ladder, scorer or detector that is none. */
export function requireCompileAdditions(at: string, added: SessionAdditions): void {
  for (const [kind, list] of Object.entries(shapes)) {
    const value = added[kind as keyof typeof shapes]
    if (value !== undefined) shape.check(list, value, `${at}.${kind}`)
  }
}

/** What extensions make of a compiler, whichever there are; an empty object where they leave it as it is. */
export function compileExtras(additions: readonly CompileAdditions[], detector?: InjectionDetector): CompileExtras {
  const ladders = additions.flatMap((added) => added.ladders ?? [])
  const scorers = additions.flatMap((added) => added.scorers ?? [])
  const detectors = additions.flatMap((added) => added.detectors ?? [])
  return {
    ...(ladders.length > 0 && { ladders: laddersOf(ladders) }),
    ...(scorers.length > 0 && { scorer: scorerOf(scorers) }),
    ...(detectors.length > 0 ? { detector: detectorOf(detectors, detector) } : detector && { detector }),
  }
}

/** The first that knows the item makes its ladder. */
function laddersOf(ladders: readonly OwnLadder[]): LadderMaker {
  return (item, context) => {
    for (const ladder of ladders) {
      const renditions = ladder(item, context)
      if (renditions !== undefined) return renditions
    }
    return ladderFor(item, context)
  }
}

function scorerOf(scorers: readonly Scorer[]): Scorer {
  return (item) => {
    for (const scorer of scorers) {
      const score = scorer(item)
      if (score !== undefined) return score
    }
    return undefined
  }
}

function detectorOf(
  own: readonly InjectionDetector[],
  first: InjectionDetector = heuristicDetector,
): InjectionDetector {
  const all = [first, ...own]
  return {
    id: all.map(({ id }) => id).join('+'),
    score: (text, context) =>
      all
        .map((one): InjectionScore => one.score(text, context))
        .reduce((highest, score) => (score.score > highest.score ? score : highest)),
  }
}
