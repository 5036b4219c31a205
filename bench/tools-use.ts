import { readFileSync } from 'node:fs'
import type { JsonValue } from '../src/core/index.ts'
import type { SearchedTool, ToolIndex, ToolUse } from '../src/tools/index.ts'
import { afterRequest, likelyTools, qualityOf, selectTools, toolIndex, toolWaste } from '../src/tools/index.ts'
import { jsonLines } from './ladder-corpora.ts'
import { markdownTable } from './markdown-table.ts'
import { percent } from './share-text.ts'
import type { ToolQuery, ToolSet } from './tools-data.ts'
import { hashOf } from './tools-meanings.ts'
import { recallOf } from './tools-measures.ts'

/*
 * Learning from use (C-020): the next tool of mcp-traces with what the tasks before have taught, and how little of the schema text of the airline of
 * tau-bench still offers nearly all calls.
 */

type Uses = ReadonlyMap<string, ToolUse>

const relevantRanks = 20

/** Each query is searched with what earlier tasks have taught; the tasks are taken in their order. */
export function usedTable({ tools, queries }: ToolSet, calls: readonly ToolQuery[]): string {
  const modes = [
    { name: 'nothing learnt', isWeighed: false, isFound: false },
    { name: 'quality factor', isWeighed: true, isFound: false },
    { name: 'past queries', isWeighed: false, isFound: true },
    { name: 'both', isWeighed: true, isFound: true },
  ]
  return markdownTable(
    modes.map(({ name, isWeighed, isFound }) => {
      let uses: Uses = new Map()
      const ranked = [...new Set(calls.map(({ task }) => task))].flatMap((task) => {
        const index = toolIndex(isFound ? withUses(tools, uses) : tools)
        const search = searchBy(index, isWeighed ? uses : new Map())
        const judged = queries.filter((query) => query.task === task)
        const rows = judged.map(({ text, gold }) => ({ ranked: search(text), gold }))
        for (const { text, gold } of calls.filter((call) => call.task === task))
          uses = afterRequest(uses, {
            query: text,
            relevant: search(text),
            calls: gold.map(([id = '']) => ({ id, isFailed: false })),
          })
        return rows
      })
      const { at1, at5, at10, at20 } = recallOf(ranked)
      return { 'learnt': name, 'R@1': percent(at1), 'R@5': percent(at5), 'R@10': percent(at10), 'R@20': percent(at20) }
    }),
  )
}

function searchBy(index: ToolIndex, uses: Uses): (query: string) => readonly string[] {
  const quality = (id: string): number => {
    const use = uses.get(id)
    return use === undefined ? 1 : qualityOf(use)
  }
  return (query) => index.search(query, { limit: relevantRanks, quality }).map(({ id }) => id)
}

function withUses(tools: readonly SearchedTool[], uses: Uses): readonly SearchedTool[] {
  return tools.map((tool) => ({ ...tool, pastQueries: uses.get(tool.id)?.queries ?? [] }))
}

/** A reply of the agent, what it was asked before, and in which turn. */
interface Step {
  readonly turn: number
  readonly query: string
  readonly calls: readonly string[]
}

interface Run {
  readonly task: string
  readonly steps: readonly Step[]
}

interface RunRecord {
  readonly task_id: number
  readonly messages: readonly {
    readonly role: string
    readonly content: string | null
    readonly tool_calls?: readonly { readonly name: string }[] | null
  }[]
}

function airlineRuns(split: string): readonly Run[] {
  return (jsonLines(`tau-bench/airline.${split}`) as readonly RunRecord[]).map(({ task_id: task, messages }) => {
    const steps: Step[] = []
    let query = ''
    let turn = 0
    for (const { role, content, tool_calls: calls } of messages) {
      if (role === 'user') {
        query = content ?? ''
        turn += 1
      }
      if (role === 'assistant') steps.push({ turn, query, calls: (calls ?? []).map((call) => call.name) })
    }
    return { task: `task ${task}`, steps }
  })
}

interface Written {
  readonly name: string
  readonly description: string
  readonly parameters: JsonValue
}

function airlineTools(): readonly Written[] {
  const text = readFileSync(new URL('../../shared/data/tau-bench/tools.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly airline: readonly Written[] }).airline
}

/** Mean share of offered tools that a run never calls. */
export function meanWaste(split: string): number {
  const offered = airlineTools().map(({ name }) => name)
  const ratios = airlineRuns(split).map(
    ({ steps }) =>
      toolWaste(
        offered,
        steps.flatMap(({ calls }) => calls),
      ).wasteRatio,
  )
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
}

interface Offers {
  readonly calls: number
  readonly offeredCalls: number
  readonly requests: number
  /** Sum over requests of the share of the schema text. */
  readonly text: number
  readonly runs: number
  readonly wholeRuns: number
}

/** Fitted on half of the tasks and checked on the other, both ways; tools are chosen anew with each message of the user. */
export function offeredTable(split: string): string {
  const runs = airlineRuns(split)
  return markdownTable(
    [0.5, 0.55, 0.6, 0.65].flatMap((share) =>
      (['by calls', 'by calls and query'] as const).map((way) => {
        const parts = [0, 1].map((half) => {
          const isFit = ({ task }: Run): boolean => hashOf(task) % 2 === half
          return offersOf(
            runs.filter((run) => !isFit(run)),
            usesOf(runs.filter(isFit)),
            { share, isAsked: way !== 'by calls' },
          )
        })
        const sum = (figure: keyof Offers): number => parts.reduce((total, part) => total + part[figure], 0)
        return {
          'limit of text': percent(share),
          'chosen': way,
          'text offered': percent(sum('text') / sum('requests')),
          'calls offered': percent(sum('offeredCalls') / sum('calls')),
          'runs whole': percent(sum('wholeRuns') / sum('runs')),
        }
      }),
    ),
  )
}

function usesOf(runs: readonly Run[]): Uses {
  let uses: Uses = new Map()
  for (const { query, calls } of runs.flatMap(({ steps }) => steps))
    if (calls.length > 0)
      uses = afterRequest(uses, { query, relevant: [], calls: calls.map((id) => ({ id, isFailed: false })) })
  return uses
}

interface OfferRule {
  readonly share: number
  readonly isAsked: boolean
}

function offersOf(runs: readonly Run[], uses: Uses, { share, isAsked }: OfferRule): Offers {
  const written = airlineTools()
  const sizes = new Map(written.map((tool) => [tool.name, JSON.stringify(tool).length]))
  const whole = sizes.values().reduce((sum, size) => sum + size, 0)
  const tools = written.map(({ parameters, ...tool }) => ({ ...tool, id: tool.name, schema: parameters }))
  const index = toolIndex(withUses(tools, uses))
  const calls = new Map(Array.from(uses, ([id, { called }]) => [id, called]))
  const counted = { calls: 0, offeredCalls: 0, requests: 0, text: 0, runs: runs.length, wholeRuns: 0 }
  for (const { steps } of runs) {
    const called = new Set<string>()
    let turn = -1
    let offered = new Set<string>()
    let missed = 0
    for (const step of steps) {
      if (step.turn !== turn) {
        const found = likelyTools({ tokens: sizes, calls, found: isAsked ? index.search(step.query) : [] })
        const limits = { maxTools: tools.length, maxTokens: share * whole, leastFit: 0 }
        offered = new Set(selectTools({ tokens: sizes, core: [], found, called: [...called], ...limits }).ids)
        turn = step.turn
      }
      counted.requests += 1
      counted.text += offered.values().reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0) / whole
      missed += step.calls.filter((id) => !offered.has(id)).length
      counted.calls += step.calls.length
      for (const id of step.calls) called.add(id)
    }
    counted.offeredCalls -= missed
    if (missed === 0) counted.wholeRuns += 1
  }
  return { ...counted, offeredCalls: counted.offeredCalls + counted.calls }
}
