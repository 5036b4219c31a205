import { setImmediate } from 'node:timers/promises'
import { careful } from '../compiler/index.ts'
import type { Policy } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import { readCatalogue, selectionReport, tracedTools } from '../inspect/index.ts'
import type { BillingRules, CatalogueTrace, SelectionReport, Trace } from '../inspect/index.ts'
import type { Io } from './io.ts'
import { progress } from './progress.ts'
import { readText } from './read-text.ts'
import { stackedTable } from './text-table.ts'

export interface SelectionsAsked {
  readonly traces: readonly Trace[]
  /** A file of definitions, which all sessions have; those that are recorded where absent. */
  readonly file: string | undefined
  readonly rules: BillingRules
  readonly model: string | undefined
  readonly policy?: Policy
  readonly io: Io
  readonly quiet: boolean
}

/** What recorded sessions would cost by each way to select their tools; undefined where the user has interrupted. */
export async function replaySelections(asked: SelectionsAsked): Promise<SelectionReport | undefined> {
  const { traces, file, rules, io, quiet, policy = careful } = asked
  const given = file === undefined ? undefined : readCatalogue(await readText(file, io), '--tools')
  const own = traces.flatMap((trace): CatalogueTrace[] => {
    const tools = given ?? tracedTools(trace)
    return tools.length > 0 ? [{ ...trace, tools }] : []
  })
  if (own.length === 0)
    throw invalidInput('--selections', 'no recorded session says which tools it had', 'Name them with --tools FILE.')
  const line = progress(io, quiet)
  const model = asked.model ?? own[0]?.model ?? 'gpt-5.1'
  const isClaude = model.startsWith('claude')
  try {
    return await selectionReport(own, {
      policy,
      rules,
      model,
      dialect: isClaude ? 'anthropic-messages' : 'openai-chat',
      async next({ id }, done) {
        line.show(`selecting tools of ${id} (${done} traces done)`)
        await setImmediate()
        io.interrupted.throwIfAborted()
      },
    })
  } catch (error) {
    if (io.interrupted.aborted) return undefined
    throw error
  } finally {
    line.end()
  }
}

export function selectionTable({ traces, tools, selections }: SelectionReport, width: number | undefined): string {
  const head = ['selection', 'cost', 'worst', 'tokens', 'definitions', 'searches', 'looked for', 'at once', 'not found']
  const rows = selections.map((row) => [
    row.selection,
    row.costRatio.toFixed(3),
    row.worstCostRatio.toFixed(3),
    String(row.tokens),
    String(Math.round(row.definitionTokens / Math.max(1, traces))),
    String(row.hiddenRequests),
    String(row.looked),
    String(row.foundAtOnce),
    String(row.notFound),
  ])
  const many = `${traces} ${traces === 1 ? 'session' : 'sessions'} with ${Math.round(tools)} tools on average; definitions: tokens in a first request`
  return `${many}\n\n${stackedTable(head, rows, width)}\n`
}
