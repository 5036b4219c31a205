import { keptModel, keptName, otherModels } from './rollups.ts'
import type { Rollup, StatisticsQuery, Tally } from './rollups.ts'

/** A relation of hourly sums, and what it tells requests apart by. */
export interface RollupForm {
  readonly relation: 'rollups' | 'asker_rollups'
  readonly columns: readonly string[]
  /** The group of a request; undefined where it is not counted here. */
  cellsOf(tally: Omit<Tally, 'figures'>): readonly string[] | undefined
  /** The group that it is counted in where an hour has too many. */
  othersOf(cells: readonly string[]): readonly string[]
  rollupOf(cells: readonly string[]): Omit<Rollup, 'hourMs' | 'figures'>
}

const byModel: RollupForm = {
  relation: 'rollups',
  columns: ['model', 'policy'],
  cellsOf: ({ model, policy }) => [keptModel(model), policy],
  othersOf: ([, policy = '']) => [otherModels, policy],
  rollupOf: ([model = '', policy = '']) => ({ model, policy }),
}

/** Only requests with a token or a key are counted here; teams and users are empty where the key names none. */
const byAsker: RollupForm = {
  relation: 'asker_rollups',
  columns: ['key_id', 'team', 'user_name', 'model', 'policy'],
  cellsOf: ({ asker, model, policy }) =>
    asker && [keptName(asker.key), keptName(asker.team ?? ''), keptName(asker.user ?? ''), keptModel(model), policy],
  othersOf: ([, team = '', , , policy = '']) => [otherModels, team, otherModels, otherModels, policy],
  rollupOf: ([key = '', team = '', user = '', model = '', policy = '']) => ({ key, team, user, model, policy }),
}

export const rollupForms: readonly [RollupForm, RollupForm] = [byModel, byAsker]

/** The sums that a query is answered from. */
export function formOf({ by = [] }: StatisticsQuery): RollupForm {
  return by.some((each) => each === 'team' || each === 'key' || each === 'user') ? byAsker : byModel
}
