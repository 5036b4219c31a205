import { toolIndex } from '../src/tools/index.ts'
import { percent } from './share-text.ts'
import { markdownTable } from './markdown-table.ts'
import type { Menu } from './tools-data.ts'
import { irrelevantMenus, toolSets } from './tools-data.ts'
import { plainIndex } from './tools-first-version.ts'
import { areaUnderCurve } from './tools-measures.ts'

/** Whether the best score says that a query has a tool at all: by the small menu of each query, and among all functions. */
export function irrelevanceTable(relevant: readonly Menu[]): string {
  const tools = toolSets().find(({ name }) => name === 'bfcl')?.tools ?? []
  const ids = new Set(tools.map(({ id }) => id))
  const irrelevant = irrelevantMenus()
  // The functions of the others stand in no catalogue.
  const known = irrelevant.filter(({ names }) => names.every((name) => ids.has(name)))
  return markdownTable(
    [['first version', plainIndex(tools)] as const, ['search', toolIndex(tools)] as const].map(([method, index]) => {
      const best = ({ text, names }: Menu, isPooled: boolean): number => {
        const menu = new Set(names)
        const found = index.search(text, { limit: tools.length })
        return found.find(({ id }) => isPooled || menu.has(id))?.score ?? 0
      }
      const scores = (menus: readonly Menu[], isPooled: boolean): readonly number[] =>
        menus.map((menu) => best(menu, isPooled))
      return {
        method,
        [`AUC, menus (${relevant.length} against ${known.length})`]: percent(
          areaUnderCurve(scores(relevant, false), scores(known, false)),
        ),
        [`AUC, all functions (${relevant.length} against ${irrelevant.length})`]: percent(
          areaUnderCurve(scores(relevant, true), scores(irrelevant, true)),
        ),
      }
    }),
  )
}
