import type { SearchedTool, ToolIndex } from '../src/tools/index.ts'
import { toolIndex } from '../src/tools/index.ts'
import { markdownTable } from './markdown-table.ts'
import { percent } from './share-text.ts'
import type { ToolQuery, ToolSet } from './tools-data.ts'
import { plainIndex } from './tools-first-version.ts'
import type { ToolEmbedder } from './tools-meanings.ts'
import { hashOf, meaningsOf, toolEmbedders } from './tools-meanings.ts'
import type { Recall } from './tools-measures.ts'
import { recallOf } from './tools-measures.ts'

/** Ranks the ids of a catalogue for a query. */
type Ranker = (query: string) => readonly string[]

interface Method {
  readonly name: string
  open(tools: readonly SearchedTool[]): Ranker
}

const byIndex =
  (open: (tools: readonly SearchedTool[]) => ToolIndex): Method['open'] =>
  (tools) => {
    const index = open(tools)
    return (query) => index.search(query).map(({ id }) => id)
  }

const fieldsOnly = ['related-words', 'name-grams', 'servers', 'clauses'] as const

/** A tool without what a field says. */
const bare = (tools: readonly SearchedTool[]): readonly SearchedTool[] =>
  tools.map(({ id, name, description, pastQueries }) => ({
    id,
    name,
    description,
    schema: {},
    ...(pastQueries !== undefined && { pastQueries }),
  }))

const first: Method = { name: 'first version', open: byIndex(plainIndex) }
export const searchAlone: Method = { name: 'search', open: byIndex((tools) => toolIndex(tools)) }

/** Each idea alone and all but one. */
export const methods: readonly Method[] = [
  first,
  { name: 'name and description as fields', open: byIndex((tools) => toolIndex(bare(tools), { without: fieldsOnly })) },
  { name: 'all fields', open: byIndex((tools) => toolIndex(tools, { without: fieldsOnly })) },
  ...(['related-words', 'name-grams', 'servers', 'clauses'] as const).map((part) => ({
    name: `all fields + ${part}`,
    open: byIndex((tools) => toolIndex(tools, { without: fieldsOnly.filter((one) => one !== part) })),
  })),
  searchAlone,
  ...toolEmbedders.flatMap(methodsBy),
]

/** An embedder alone, and fused with the search by words. */
export function methodsBy(embedder: ToolEmbedder): readonly Method[] {
  return [
    { name: `${embedder.name} alone`, open: byMeaning(embedder, true) },
    { name: `search fused with ${embedder.name}`, open: byMeaning(embedder, false) },
  ]
}

function byMeaning(embedder: ToolEmbedder, isAlone: boolean): Method['open'] {
  return (tools) => {
    const { meanings, embed } = meaningsOf(tools, embedder)
    const index = toolIndex(tools, { meanings, ...(isAlone && { without: ['words'] }) })
    return (query) => index.search(query, { vector: embed(query) }).map(({ id }) => id)
  }
}

/** Every set by every method, without anything learnt. */
export function coldTable(sets: readonly ToolSet[], chosen: readonly Method[]): string {
  const opened = new Map<string, Ranker>()
  return markdownTable(
    sets.flatMap(({ name, tools, queries }) =>
      chosen.map((method) => {
        const key = `${method.name} ${tools.length}`
        const rank = opened.get(key) ?? method.open(tools)
        opened.set(key, rank)
        return rowOf(name, method.name, recallOf(queries.map(({ text, gold }) => ({ ranked: rank(text), gold }))))
      }),
    ),
  )
}

/** The same among all recorded tools. */
export function crowdedTable(sets: readonly ToolSet[], others: readonly SearchedTool[]): string {
  const crowded = sets.map((set): ToolSet => {
    const own = new Set(set.tools.map(({ id }) => id))
    return { ...set, tools: [...set.tools, ...others.filter(({ id }) => !own.has(id))] }
  })
  return coldTable(crowded, [first, searchAlone])
}

/** A query may be learnt from. */
interface Fold {
  readonly known: readonly ToolQuery[]
  readonly judged: readonly ToolQuery[]
}

/** Learnt from one half of the tasks and judged on the other, both ways; of mcp-traces, from the tasks before. */
export function learntTable(sets: readonly ToolSet[], learntFrom: (set: ToolSet) => readonly ToolQuery[]): string {
  return markdownTable(
    sets.flatMap((set) => {
      const folds = set.name.startsWith('mcp') ? inOrder(set, learntFrom(set)) : halves(set, learntFrom(set))
      return [first, searchAlone].flatMap((method) =>
        [false, true].map((isLearnt) => {
          const judged = folds.flatMap((fold) => {
            const rank = method.open(isLearnt ? withPast(set.tools, fold.known) : set.tools)
            return fold.judged.map(({ text, gold }) => ({ ranked: rank(text), gold }))
          })
          return rowOf(set.name, `${method.name}${isLearnt ? ', past queries' : ''}`, recallOf(judged))
        }),
      )
    }),
  )
}

function halves({ queries }: ToolSet, source: readonly ToolQuery[]): readonly Fold[] {
  const halfOf = ({ task }: ToolQuery): number => hashOf(task) % 2
  return [0, 1].map((half) => ({
    known: source.filter((query) => halfOf(query) !== half),
    judged: queries.filter((query) => halfOf(query) === half),
  }))
}

function inOrder({ queries }: ToolSet, source: readonly ToolQuery[]): readonly Fold[] {
  const tasks = [...new Set(source.map(({ task }) => task))]
  return tasks.flatMap((task, at) => {
    const before = new Set(tasks.slice(0, at))
    const judged = queries.filter((query) => query.task === task)
    return judged.length === 0 ? [] : [{ known: source.filter((query) => before.has(query.task)), judged }]
  })
}

/** What past queries of some tools cost those that have none: half of the tools of metatool have never been called. */
export function unseenTable({ name, tools, queries }: ToolSet): string {
  const isSeen = ({ gold }: ToolQuery): boolean => gold.every(([id = '']) => hashOf(id) % 2 === 0)
  const known = queries.filter((query) => isSeen(query) && hashOf(query.task) % 2 === 0)
  const judged = queries.filter((query) => hashOf(query.task) % 2 === 1)
  return markdownTable(
    [true, false].flatMap((seen) =>
      [false, true].map((isLearnt) => {
        const rank = searchAlone.open(isLearnt ? withPast(tools, known) : tools)
        const own = judged.filter((query) => isSeen(query) === seen)
        const label = `${seen ? 'called before' : 'never called'}, ${isLearnt ? 'half of the tools learnt' : 'nothing learnt'}`
        return rowOf(name, label, recallOf(own.map(({ text, gold }) => ({ ranked: rank(text), gold }))))
      }),
    ),
  )
}

function withPast(tools: readonly SearchedTool[], known: readonly ToolQuery[]): readonly SearchedTool[] {
  const past = new Map<string, Set<string>>()
  for (const { text, gold } of known)
    for (const [id] of gold) if (id !== undefined) past.set(id, (past.get(id) ?? new Set()).add(text))
  return tools.map((tool) => ({ ...tool, pastQueries: [...(past.get(tool.id) ?? [])] }))
}

function rowOf(set: string, method: string, recall: Recall): Readonly<Record<string, string>> {
  return {
    set,
    'queries': String(recall.queries),
    method,
    'R@1': percent(recall.at1),
    'R@5': percent(recall.at5),
    'R@10': percent(recall.at10),
    'R@20': percent(recall.at20),
    'all@10': percent(recall.all10),
    'nDCG@10': percent(recall.ndcg10),
  }
}
