import type { CompileStage, ReasonCode, StageRecord } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { Allocated } from '../stages/allocate.ts'
import type { Assembled } from '../stages/assemble.ts'
import type { SectionReport } from './report-sections.ts'

export interface StagesRun {
  /** As they began, one after the other. */
  readonly ran: readonly CompileStage[]
  readonly fullTokens: ArrayLike<number>
  readonly originalTokens: number
  /** Dropped by the filter, and with what the ranking dropped besides. */
  readonly dropped: { readonly filter: Dropped; readonly rank: Dropped }
  readonly allocated: Allocated
  readonly forms: readonly (Form | undefined)[]
  readonly report: SectionReport
  /** Absent where nothing is sent; the first where there are pages. */
  readonly assembled: Assembled | undefined
}

type Dropped = ReadonlyMap<number, ReasonCode>

/** What each stage that ran has left, in the order in which they first ran. */
export function stageRecords(run: StagesRun): readonly StageRecord[] {
  const items = run.fullTokens.length
  const records: StageRecord[] = [{ stage: 'collect', items, tokens: run.originalTokens }]
  for (const stage of new Set(run.ran)) {
    const runs = timesOf(run.ran, stage)
    records.push({ stage, ...leftBy[stage](run), ...(runs > 1 && { runs }) })
  }
  return records
}

function timesOf(ran: readonly CompileStage[], stage: CompileStage): number {
  let times = 0
  for (const one of ran) if (one === stage) times += 1
  return times
}

type Left = Pick<StageRecord, 'items' | 'tokens'>

const leftBy: Readonly<Record<CompileStage, (run: StagesRun) => Left>> = {
  filter: (run) => without(run, run.dropped.filter),
  rank: (run) => without(run, run.dropped.rank),
  allocate: (run) => ({ items: without(run, run.dropped.rank).items, tokens: grantedIn(run.allocated) }),
  compress: shownIn,
  assemble: sentIn,
  validate: sentIn,
}

function without({ fullTokens, originalTokens }: StagesRun, dropped: Dropped): Left {
  let tokens = originalTokens
  for (const index of dropped.keys()) tokens -= fullTokens[index] ?? 0
  return { items: fullTokens.length - dropped.size, tokens }
}

function grantedIn({ granted }: Allocated): number {
  let tokens = 0
  for (const each of granted.values()) tokens += each
  return tokens
}

/** The receipt has counted what is sent; what was not sent, nobody has. */
function shownIn({ assembled, report, forms }: StagesRun): Left {
  let items = 0
  let tokens = 0
  if (assembled === undefined) {
    for (const form of forms) {
      if (form === undefined) continue
      items += 1
      tokens += form.tokens
    }
    return { items, tokens }
  }
  for (const { included, usedTokens } of report.sections) {
    items += included
    tokens += usedTokens
  }
  return { items, tokens }
}

function sentIn({ assembled }: StagesRun): Left {
  return { items: assembled?.entries.length ?? 0, tokens: assembled?.tokens ?? 0 }
}
