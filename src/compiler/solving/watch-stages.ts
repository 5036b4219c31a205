import type { CompileFigures, CompileResult, CompileStage, CompileWatch } from '../../core/index.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import type { Form } from '../forms/form.ts'
import type { Allocated } from '../stages/allocate.ts'
import type { Assembled } from '../stages/assemble.ts'
import type { Compressed } from '../stages/compress-input.ts'
import type { Filtered } from '../stages/filter.ts'
import type { Ranked } from '../stages/rank.ts'
import { watched } from './watched.ts'

type Run<Result> = () => Result

/** Each stage run as itself, and told of with what it counted. */
interface ToldStages {
  filter(run: Run<Filtered>): Filtered
  rank(run: Run<Ranked>): Ranked
  allocate(run: Run<Allocated>): Allocated
  compress<Result extends Compressed>(run: Run<Result>, allocated: Allocated): Result
  assemble(run: Run<Assembled>, forms: readonly (Form | undefined)[]): Assembled
  validate(run: Run<void>, assembled: Assembled): void
}

/** Also keeps which of them ran. */
export interface StageWatch extends ToldStages {
  /** As they began, one after the other. */
  readonly ran: readonly CompileStage[]
}

/** Nothing is counted, and nothing made but the list of what ran, where nobody watches. */
export function stageWatch(watch: CompileWatch | undefined, list: CandidateList): StageWatch {
  const told = toldStages(watch, list)
  const ran: CompileStage[] = []
  const began = (stage: CompileStage): ToldStages => {
    ran.push(stage)
    return told
  }
  return {
    ran,
    filter: (run) => began('filter').filter(run),
    rank: (run) => began('rank').rank(run),
    allocate: (run) => began('allocate').allocate(run),
    compress: (run, allocated) => began('compress').compress(run, allocated),
    assemble: (run, forms) => began('assemble').assemble(run, forms),
    validate: (run, assembled) => began('validate').validate(run, assembled),
  }
}

function toldStages(watch: CompileWatch | undefined, { candidates }: CandidateList): ToldStages {
  if (watch === undefined) return unwatched
  let full: Float64Array | readonly number[] = []
  const items = candidates.length
  const filter: ToldStages['filter'] = (run) =>
    watched(watch, {
      stage: 'filter',
      run,
      figures: ({ dropped }) => {
        const tokensIn = sum(full)
        const gone = [...dropped.keys()].reduce((tokens, index) => tokens + (full[index] ?? 0), 0)
        return { itemsIn: items, itemsOut: items - dropped.size, tokensIn, tokensOut: tokensIn - gone }
      },
    })
  const rank: ToldStages['rank'] = (run) => {
    const figures = ({ fullTokens }: Ranked) => {
      const tokens = sum(fullTokens)
      return { itemsIn: items, itemsOut: items, tokensIn: tokens, tokensOut: tokens }
    }
    const ranked = watched(watch, { stage: 'rank', run, figures })
    full = ranked.fullTokens
    return ranked
  }
  const allocate: ToldStages['allocate'] = (run) =>
    watched(watch, {
      stage: 'allocate',
      run,
      figures: (allocated) => ({ ...planned(allocated), ...granted(allocated) }),
    })
  const compress: ToldStages['compress'] = (run, allocated) =>
    watched(watch, { stage: 'compress', run, figures: ({ forms }) => ({ ...planned(allocated), ...shown(forms) }) })
  const assemble: ToldStages['assemble'] = (run, forms) =>
    watched(watch, { stage: 'assemble', run, figures: (assembled) => ({ ...given(forms), ...sent(assembled) }) })
  const validate: ToldStages['validate'] = (run, assembled) => {
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
    ...(manifest.quality && { quality: manifest.quality.measures }),
  }
}

const asItIs = <Result>(run: Run<Result>): Result => run()

const unwatched: ToldStages = {
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
