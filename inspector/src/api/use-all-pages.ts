import type { List } from './answers.ts'
import type { Params } from './client.ts'
import type { Answer } from './use-answer.ts'
import { useGrowing } from './use-growing.ts'

export interface AllPages {
  /** Rows at most. */
  readonly most: number
  /** Rows of a page. */
  readonly limit: number
}

/** All pages of a list, shown as they come. */
export function useAllPages<Row>(
  path: string | undefined,
  params: Params,
  { most, limit }: AllPages,
): Answer<readonly Row[]> {
  return useGrowing<List<Row>, readonly Row[]>(path, params, {
    limits: [limit, limit],
    join: (before = [], { data }) => [...before, ...data],
    isEnough: (rows) => rows.length >= most,
  })
}
