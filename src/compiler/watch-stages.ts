import type { CompileFigures, CompileResult, CompileWatch } from '../core/index.ts'
import type { CandidateList } from './items/read-candidates.ts'
import type { Form } from './forms/form.ts'
import type { Allocated } from './stages/allocate.ts'
import type { Assembled } from './stages/assemble.ts'
import type { Compressed } from './stages/compress.ts'
import type { Filtered } from './stages/filter.ts'
import type { Ranked } from './stages/rank.ts'
import { watched } from './watched.ts'

type Run<Result> = () => Result

/** Each stage run as itself, and told of with what it counted. */
export interface StageWatch {
  filter(run: Run<Filtered>): Filtered
  rank(run: Run<Ranked>): Ranked
  allocate(run: Run<Allocated>): Allocated
  compress<Result extends Compressed>(run: Run<Result>, allocated: Allocated): Result
  assemble(run: Run<Assembled>, forms: readonly (Form | undefined)[]): Assembled
  validate(run: Run<void>, assembled: Assembled): void
}

/** Nothing is counted, and nothing made, where nobody watches. */
export function stageWatch(watch: CompileWatch | undefined, { candidates }: CandidateList): StageWatch {
  if (watch === undefined) return unwatched
  let full: Float64Array | readonly number[] = []
  const items = candidates.length
  const filter: StageWatch['filter'] = (run) =>
    watched(watch, {
      stage: 'filter',
      run,
      figures: ({ dropped }) => {
        const tokensIn = sum(full)
        const gone = [...dropped.keys()].reduce((tokens, index) => tokens + (full[index] ?? 0), 0)
        return { itemsIn: items, itemsOut: items - dropped.size, tokensIn, tokensOut: tokensIn - gone }
      },
    })
  const rank: StageWatch['rank'] = (run) => {
    const figures = ({ fullTokens }: Ranked) => {
      const tokens = sum(fullTokens)
      return { itemsIn: items, itemsOut: items, tokensIn: tokens, tokensOut: tokens }
    }
    const ranked = watched(watch, { stage: 'rank', run, figures })
    full = ranked.fullTokens
    return ranked
  }
  const allocate: StageWatch['allocate'] = (run) =>
    watched(watch, {
      stage: 'allocate',
      run,
      figures: (allocated) => ({ ...planned(allocated), ...granted(allocated) }),
    })
  const compress: StageWatch['compress'] = (run, allocated) =>
    watched(watch, { stage: 'compress', run, figures: ({ forms }) => ({ ...planned(allocated), ...shown(forms) }) })
  const assemble: StageWatch['assemble'] = (run, forms) =>
    watched(watch, { stage: 'assemble', run, figures: (assembled) => ({ ...given(forms), ...sent(assembled) }) })
  const validate: StageWatch['validate'] = (run, assembled) => {
    const { itemsOut, tokensOut } = sent(assembled)
    const figures = () => ({ itemsIn: itemsOut, tokensIn: tokensOut, itemsOut, tokensOut })
    watched(watch, { stage: 'validate', run, figures })
  }
  return { filter, rank, allocate, compress, assemble, validate }
}

/** What a whole compile was given and gave. */
export function compileFigures({ manifest, pack }: CompileResult): CompileFigures {
  return {
    outcome: manifest.outcome,
    itemsIn: manifest.decisions.length,
    itemsOut: pack?.entries.length ?? 0,
    tokensIn: manifest.originalTokens,
    tokensOut: manifest.packTokens,
  }
}

const asItIs = <Result>(run: Run<Result>): Result => run()

const unwatched: StageWatch = {
  filter: asItIs,
  rank: asItIs,
  allocate: asItIs,
  compress: asItIs,
  assemble: asItIs,
  validate: asItIs,
}

function planned({ plans }: Allocated) {
  const itemsIn = plans.reduce((count, { members }) => count + members.length, 0)
  return { itemsIn, tokensIn: plans.reduce((tokens, { demand }) => tokens + demand, 0) }
}

function granted({ plans, granted: grants }: Allocated) {
  const itemsOut = plans.reduce((count, { members }) => count + members.length, 0)
  return { itemsOut, tokensOut: sum([...grants.values()]) }
}

function shown(forms: readonly (Form | undefined)[]) {
  const standing = forms.filter((form) => form !== undefined)
  return { itemsOut: standing.length, tokensOut: standing.reduce((tokens, form) => tokens + form.tokens, 0) }
}

function given(forms: readonly (Form | undefined)[]) {
  const { itemsOut: itemsIn, tokensOut: tokensIn } = shown(forms)
  return { itemsIn, tokensIn }
}

function sent({ entries, tokens }: Assembled) {
  return { itemsOut: entries.length, tokensOut: tokens }
}

function sum(tokens: Float64Array | readonly number[]): number {
  let total = 0
  for (const each of tokens) total += each
  return total
}
