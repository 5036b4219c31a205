import { toolSelections } from '../../core/index.ts'
import type { ToolSelection } from '../../core/index.ts'
import { selectionBill } from './selection-bill.ts'
import type { CatalogueTrace, SelectionBill, SelectionOptions } from './selection-bill.ts'

/** What sessions come to by one way to select their tools. */
export interface SelectionFigures extends SelectionBill {
  readonly selection: ToolSelection
  /** Of what they cost with all tools in each request; of the session for which that is most. */
  readonly costRatio: number
  readonly worstCostRatio: number
}

export interface SelectionReport {
  readonly traces: number
  /** Tools of a session on average. */
  readonly tools: number
  readonly selections: readonly SelectionFigures[]
}

export interface ReportOptions extends Omit<SelectionOptions, 'selection'> {
  /** Told before each session. Rejects to end it. */
  readonly next?: (trace: CatalogueTrace, done: number) => Promise<void>
}

/** Bills sessions with a catalogue of tools by every way to select them. */
export async function selectionReport(
  traces: readonly CatalogueTrace[],
  { next = async () => undefined, ...options }: ReportOptions,
): Promise<SelectionReport> {
  const bills = new Map<ToolSelection, SelectionBill[]>(toolSelections.map((selection) => [selection, []]))
  for (const [done, trace] of traces.entries()) {
    await next(trace, done)
    for (const [selection, list] of bills) list.push(await selectionBill(trace, { ...options, selection }))
  }
  const whole = bills.get('off') ?? []
  const selections = [...bills].map(([selection, list]): SelectionFigures => {
    const ratios = list.map(({ cost }, index) => cost / (whole[index]?.cost ?? cost))
    const sums = summed(list)
    return {
      selection,
      ...sums,
      costRatio: sums.cost / summed(whole).cost,
      worstCostRatio: ratios.reduce((most, ratio) => Math.max(most, ratio), 0),
    }
  })
  const tools = traces.reduce((sum, trace) => sum + trace.tools.length, 0)
  return { traces: traces.length, tools: traces.length === 0 ? 0 : tools / traces.length, selections }
}

function summed(bills: readonly SelectionBill[]): SelectionBill {
  const sum = (of: (bill: SelectionBill) => number): number => bills.reduce((total, bill) => total + of(bill), 0)
  return {
    requests: sum(({ requests }) => requests),
    hiddenRequests: sum(({ hiddenRequests }) => hiddenRequests),
    tokens: sum(({ tokens }) => tokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    cost: sum(({ cost }) => cost),
    definitionTokens: sum(({ definitionTokens }) => definitionTokens),
    looked: sum(({ looked }) => looked),
    foundAtOnce: sum(({ foundAtOnce }) => foundAtOnce),
    notFound: sum(({ notFound }) => notFound),
  }
}
