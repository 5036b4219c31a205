import { isLeftOut, logBlocks, summaryBlocks } from '../../compiler/index.ts'
import type { SummaryBlock } from '../../compiler/index.ts'
import type { GivenSummary, Item, Policy, Summarizer } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { PassingMap, sha256 } from '../../host/index.ts'
import { summaryKey } from '../../stores/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import type { JobKind } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { nameOfError } from '../telemetry/name-of-error.ts'

/** A conversation whose blocks may be summarised by a model. */
export interface SummaryWork {
  readonly requestId: string
  readonly scope: Scope
  readonly items: readonly Item[]
  readonly policy: Policy
  /** Ids of items that summaries and briefs stand for in what was sent. */
  readonly leftOut: ReadonlySet<string>
  /** The id of who writes. */
  readonly writer: string
  /** Made when it is needed; what it asks ends with the signal. */
  summarizer(signal: AbortSignal): Summarizer
  count(text: string): number
}

/** Has a model summarise complete blocks in the background. No request waits for it. */
export interface SummaryQueue {
  /** What is known of a conversation's blocks by now. */
  given(tenant: string, items: readonly Item[], policy: Policy, writer: string): readonly GivenSummary[]
  /** What is not known of it is to be written; less urgent than anything else. */
  write(work: SummaryWork): void
}

export interface SummaryQueueParts {
  readonly store: Store
  readonly clock: () => number
  readonly jobs: Jobs
  readonly metrics: Pick<Metrics, 'summaries'>
  readonly logger: Logger
  readonly limits: { readonly waiting: number; readonly timeoutMs: number }
}

/** Summaries that are held in memory; the store has all of them. */
const mostKnown = 4096
/** A block that could not be summarised so often is left alone. */
const mostTries = 3

export function summaryQueue(parts: SummaryQueueParts): SummaryQueue {
  const { jobs, limits, metrics, logger } = parts
  const known = new PassingMap<string, GivenSummary>()
  const tries = new PassingMap<string, number>()
  const { waiting: mostHeld, timeoutMs } = limits
  const kind: JobKind = {
    name: 'summary',
    priority: -1,
    mostRunning: 1,
    mostHeld,
    deadlineMs: timeoutMs,
    leaseMs: timeoutMs,
    atDrain: 'abort',
  }

  return {
    given(tenant, items, policy, writer) {
      if (known.size === 0) return []
      const blocks = [...dialogueBlocks(items, policy), ...briefBlocks(items, policy)]
      return blocks.flatMap(({ key }) => known.get(nameOf(tenant, writer, key)) ?? [])
    },
    write(work) {
      const { scope, writer, requestId } = work
      for (const block of blocksOf(work)) {
        const name = nameOf(scope.tenant, writer, block.key)
        if (known.get(name) || (tries.get(name) ?? 0) >= mostTries) continue
        jobs.add({
          kind,
          name,
          run: async (signal) => put(known, name, await written(parts, { work, block, signal })),
          failed(error) {
            put(tries, name, (tries.get(name) ?? 0) + 1)
            metrics.summaries.inc({ result: 'failed' })
            logger.warn('summary', { requestId, result: 'failed', reason: reasonOf(error) })
          },
        })
      }
    },
  }
}

function put<Value>(map: PassingMap<string, Value>, name: string, value: Value): void {
  map.set(name, value)
  for (const oldest of map.keys()) {
    if (map.size <= mostKnown) break
    map.delete(oldest)
  }
}

function blocksOf({ items, policy, leftOut }: SummaryWork): readonly SummaryBlock[] {
  const hasBrief =
    policy.epochs.compaction !== undefined && items.some(({ kind, id }) => kind === 'tool-result' && leftOut.has(id))
  return hasBrief
    ? briefBlocks(items, policy).filter(({ itemIds }) => isLeftOut(itemIds, leftOut))
    : dialogueBlocks(items, policy)
}

function dialogueBlocks(items: readonly Item[], { summaries }: Policy): readonly SummaryBlock[] {
  return summaries === undefined || summaries.mode === 'off'
    ? []
    : summaryBlocks({ items, policy: summaries, hash: sha256 })
}

/** Parts of the log of a brief. */
function briefBlocks(items: readonly Item[], { summaries, epochs }: Policy): readonly SummaryBlock[] {
  return summaries === undefined || epochs.compaction === undefined ? [] : logBlocks({ items, hash: sha256 })
}

function nameOf(tenant: string, writer: string, key: string): string {
  return `${tenant}\n${writer}\n${key}`
}

interface ToWrite {
  readonly work: SummaryWork
  readonly block: SummaryBlock
  readonly signal: AbortSignal
}

/** Reads the block's summary, or has it written and stores it. A summary that fails is stored nowhere. */
async function written(
  { store, clock, metrics, logger }: SummaryQueueParts,
  { work, block, signal }: ToWrite,
): Promise<GivenSummary> {
  const { scope, requestId, writer, count, policy } = work
  const { key, turns, itemIds, mostTokens = policy.summaries?.mostTokens ?? 2000 } = block
  const kept = await store.read('summaries').get(scope.tenant, summaryKey({ key, writer }))
  if (kept !== undefined && kept.value.prose !== '') {
    metrics.summaries.inc({ result: 'kept' })
    logger.info('summary', { requestId, result: 'kept' })
    return { key, writer, prose: kept.value.prose }
  }
  const sourceTokens = turns.reduce((sum, { text }) => sum + count(text), 0)
  const { keepRatio = 0.3, leastTokens = 80 } = policy.summaries ?? {}
  const targetTokens = Math.min(mostTokens, Math.max(leastTokens, Math.ceil(keepRatio * sourceTokens)))
  const { prose = '' } = await work.summarizer(signal).summarize(turns, { targetTokens, count, key })
  const summary = { key, writer, prose }
  const nowMs = clock()
  const figures = { itemIds, tokens: count(prose), sourceTokens, writtenMs: nowMs }
  const value = { ...summary, ...figures }
  await store.commit({ scope, nowMs, writes: [{ table: 'summaries', key: summaryKey(summary), value }] })
  metrics.summaries.inc({ result: 'written' })
  logger.info('summary', { requestId, result: 'written', tokens: figures.tokens, sourceTokens })
  return summary
}

/** Never a message: it may quote what was said. */
function reasonOf(error: unknown): string {
  if (isPrehendError(error)) return error.code
  return nameOfError(error)
}
