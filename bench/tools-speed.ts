import type { SearchedTool, ToolIndex } from '../src/tools/index.ts'
import { selectTools, toolIndex } from '../src/tools/index.ts'
import { markdownTable } from './markdown-table.ts'
import { plainIndex } from './tools-first-version.ts'

const warming = 200
const queriesTaken = 1000

/** Milliseconds of a search and of a selection among 1,000 tools, side by side in one run. */
export function speedTable(tools: readonly SearchedTool[], queries: readonly string[]): string {
  const catalogue = tools.slice(0, 1000)
  const tokens = new Map(catalogue.map(({ id, description }) => [id, Math.ceil(description.length / 4) + 100]))
  const began = performance.now()
  const index = toolIndex(catalogue)
  const madeMs = performance.now() - began
  const plain = plainIndex(catalogue)
  const asked = Array.from({ length: queriesTaken + warming }, (_, at) => queries[at % queries.length] ?? '')
  const search = (one: ToolIndex) => (query: string) => void one.search(query)
  const found = new Map(queries.map((query) => [query, index.search(query)]))
  const rows = [
    ['search, first version', search(plain)] as const,
    ['search', search(index)] as const,
    [
      'selection of what is found',
      (query: string) => void selectTools({ tokens, core: [], found: found.get(query) ?? [] }),
    ] as const,
    [
      'search and selection',
      (query: string) => void selectTools({ tokens, core: [], found: index.search(query) }),
    ] as const,
  ]
  const table = markdownTable(
    rows.map(([what, act]) => {
      const times = asked.map((query) => timeOf(() => act(query))).slice(warming)
      const at = (share: number): string =>
        (times.toSorted((one, other) => one - other)[Math.floor(share * times.length)] ?? 0).toFixed(3)
      return { 'among 1,000 tools': what, 'median ms': at(0.5), 'p95 ms': at(0.95), 'p99 ms': at(0.99) }
    }),
  )
  return `${table}\n\nThe index is made in ${madeMs.toFixed(0)} ms.`
}

function timeOf(act: () => void): number {
  const began = performance.now()
  act()
  return performance.now() - began
}
