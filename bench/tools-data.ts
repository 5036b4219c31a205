import type { JsonValue } from '../src/core/index.ts'
import type { SearchedTool } from '../src/tools/index.ts'
import { jsonLines } from './ladder-corpora.ts'

/*
 * Catalogues with labelled queries: which tools a question needs, or which one an agent called next. The files are those of
 * ../shared/data/tool-retrieval, mcp-traces and mcp-catalogs; each has a README.
 */

/** A query and what it needs. */
export interface ToolQuery {
  readonly id: string
  readonly text: string
  /** One list of ids for each needed tool: any of them is right. */
  readonly gold: readonly (readonly string[])[]
  /** Queries of one task stand together, in the order of their steps. */
  readonly task: string
}

export interface ToolSet {
  readonly name: string
  readonly tools: readonly SearchedTool[]
  readonly queries: readonly ToolQuery[]
}

interface Written {
  readonly id: string
  readonly server?: string
  readonly server_description?: string
  readonly category?: string
  readonly api?: string
  readonly name: string
  readonly description?: string | null
  readonly description_for_model?: string | null
  readonly inputSchema?: JsonValue
  readonly parameters?: JsonValue
  readonly arguments?: JsonValue
}

/** Where the files lie under other names, e.g. `heldout` for `dev`. */
export function toolSets(split = 'dev'): readonly ToolSet[] {
  const metatool = metatoolQueries(split)
  const tools = writtenIn('tool-retrieval/metatool.tools').map(toolOf)
  const mcp = writtenIn('mcp-traces/catalog').map(toolOf)
  return [
    { name: 'metatool single', tools, queries: metatool.filter(({ gold }) => gold.length === 1) },
    { name: 'metatool multi', tools, queries: metatool.filter(({ gold }) => gold.length > 1) },
    { name: 'bfcl', tools: bfclTools(), queries: bfclQueries(split) },
    { name: 'bfcl_multiturn', tools: multiturnTools(), queries: multiturnQueries(split) },
    { name: 'mcp question', tools: mcp, queries: mcpQuestions(split) },
    { name: 'mcp next tool', tools: mcp, queries: mcpSteps(split) },
  ]
}

/** Tools of other catalogues, among which those of a set are to be found: 1,545 with those of mcp-traces and bfcl_multiturn. */
export function distractors(): readonly SearchedTool[] {
  const files = ['mcp-traces/catalog', 'mcp-catalogs/docker_mcp_registry', 'mcp-catalogs/github_mcp_server']
  const byId = new Map([...files.flatMap(writtenIn).map(toolOf), ...multiturnTools()].map((tool) => [tool.id, tool]))
  return [...byId.values()]
}

interface Turn {
  readonly role: string
  readonly content: string
}

/** A question and the small menu of functions that it was asked with, by name. */
export interface Menu {
  readonly text: string
  readonly names: readonly string[]
}

interface IrrelevantRecord {
  readonly messages: readonly Turn[]
  readonly function_names: readonly string[]
}

/** Questions that no function of their menu can answer. */
export function irrelevantMenus(): readonly Menu[] {
  return (jsonLines('tool-retrieval/bfcl_irrelevance.dev') as readonly IrrelevantRecord[]).map((record) => ({
    text: questionIn(record.messages),
    names: record.function_names,
  }))
}

/** Questions that one function of their menu answers. */
export function relevantMenus(split = 'dev'): readonly Menu[] {
  const names = new Map(writtenIn('tool-retrieval/bfcl.functions').map(({ id, name }) => [id, name]))
  return (jsonLines(`tool-retrieval/bfcl.${split}`) as readonly BfclRecord[]).map(({ messages, candidates }) => ({
    text: questionIn(messages),
    names: candidates.flatMap((id) => names.get(id) ?? []),
  }))
}

function writtenIn(file: string): readonly Written[] {
  return jsonLines(file) as readonly Written[]
}

function toolOf(tool: Written): SearchedTool {
  const { id, name, description, server, category } = tool
  return {
    id,
    name,
    description: [description ?? '', tool.description_for_model ?? ''].join('\n').trim(),
    schema: tool.inputSchema ?? tool.parameters ?? tool.arguments ?? {},
    ...(server !== undefined && { server }),
    ...(tool.server_description != null && { serverDescription: tool.server_description }),
    ...(category !== undefined && { categories: [category] }),
  }
}

function bfclTools(): readonly SearchedTool[] {
  // Of a name's variants the first: a catalogue has each name once.
  const byName = new Map<string, SearchedTool>()
  for (const written of writtenIn('tool-retrieval/bfcl.functions'))
    if (!byName.has(written.name)) byName.set(written.name, toolOf({ ...written, id: written.name }))
  return [...byName.values()]
}

function multiturnTools(): readonly SearchedTool[] {
  return writtenIn('tool-retrieval/bfcl_multiturn.functions').map(({ api, ...tool }) =>
    toolOf({ ...tool, ...(api !== undefined && { server: api }) }),
  )
}

interface MetatoolRecord {
  readonly id: string
  readonly query: string
  readonly gold: readonly string[]
}

function metatoolQueries(split: string): readonly ToolQuery[] {
  return (jsonLines(`tool-retrieval/metatool.${split}`) as readonly MetatoolRecord[]).map(({ id, query, gold }) => ({
    id,
    text: query,
    gold: gold.map((one) => [one]),
    task: id,
  }))
}

interface BfclRecord {
  readonly id: string
  readonly messages: readonly Turn[]
  readonly gold_names: readonly string[]
  readonly candidates: readonly string[]
}

function bfclQueries(split: string): readonly ToolQuery[] {
  return (jsonLines(`tool-retrieval/bfcl.${split}`) as readonly BfclRecord[]).map((record) => ({
    id: record.id,
    text: questionIn(record.messages),
    gold: record.gold_names.map((one) => [one]),
    task: record.id,
  }))
}

function questionIn(messages: readonly Turn[]): string {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n')
}

interface MultiturnRecord {
  readonly id: string
  readonly turns: readonly { readonly user: string; readonly gold_functions: readonly string[] }[]
}

function multiturnQueries(split: string): readonly ToolQuery[] {
  const idsByName = Map.groupBy(multiturnTools(), ({ name }) => name)
  const idsOf = (name: string): readonly string[] => (idsByName.get(name) ?? []).map(({ id }) => id)
  return (jsonLines(`tool-retrieval/bfcl_multiturn.${split}`) as readonly MultiturnRecord[]).flatMap(({ id, turns }) =>
    turns.flatMap(({ user, gold_functions: names }, at) => {
      const gold = [...new Set(names)].map(idsOf).filter((ids) => ids.length > 0)
      return gold.length === 0 ? [] : [{ id: `${id}-${at}`, text: user, gold, task: id }]
    }),
  )
}

interface TraceRecord {
  readonly id: string
  readonly question: string
  readonly gold_tools: readonly { readonly ids: readonly string[] }[]
}

function mcpQuestions(split: string): readonly ToolQuery[] {
  return (jsonLines(`mcp-traces/traces.${split}`) as readonly TraceRecord[]).flatMap((record) => {
    const gold = record.gold_tools.map(({ ids }) => ids).filter((ids) => ids.length > 0)
    return gold.length === 0 ? [] : [{ id: record.id, text: record.question, gold, task: record.id }]
  })
}

interface StepRecord {
  readonly task_id: string
  readonly step: number
  readonly tool: string
  readonly last_route_query: string | null
  readonly first_use: boolean
}

function mcpSteps(split: string): readonly ToolQuery[] {
  return (jsonLines(`mcp-traces/next_tool.${split}`) as readonly StepRecord[]).flatMap((record) =>
    record.first_use && record.last_route_query !== null
      ? [
          {
            id: `${record.task_id}-${record.step}`,
            text: record.last_route_query,
            gold: [[record.tool]],
            task: record.task_id,
          },
        ]
      : [],
  )
}

interface RunRecord extends TraceRecord {
  readonly executed_tools: readonly string[]
}

/** What the agent of mcp-traces was asked, and searched by, before it called a tool: in the order of tasks. */
export function mcpCalls(split = 'dev'): readonly ToolQuery[] {
  const steps = Map.groupBy(mcpSteps(split), ({ task }) => task)
  return (jsonLines(`mcp-traces/traces.${split}`) as readonly RunRecord[]).flatMap(
    ({ id, question, executed_tools: executed }) => [
      ...(executed.length === 0 ? [] : [{ id, text: question, gold: executed.map((one) => [one]), task: id }]),
      ...(steps.get(id) ?? []),
    ],
  )
}
