import { isLeftOut, logBlocks, summaryBlocks } from '../../compiler/index.ts'
import type { SummaryBlock } from '../../compiler/index.ts'
import type { GivenSummary, Item, Policy, Summarizer } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { PassingMap, sha256 } from '../../host/index.ts'
import { keepSummary, keptSummary } from '../../sessions/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'

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
export interface SummaryWriter {
  /** What is known of a conversation's blocks by now. */
  given(tenant: string, items: readonly Item[], policy: Policy, writer: string): readonly GivenSummary[]
  /** What is not known of it is to be written; less urgent than anything else. */
  write(work: SummaryWork): void
  close(): void
}

export interface SummaryWriterParts {
  readonly store: Store
  readonly clock: () => number
  readonly metrics: Pick<Metrics, 'summaries'>
  readonly logger: Logger
  readonly limits: { readonly waiting: number; readonly timeoutMs: number }
}

/** Summaries that are held in memory; the store has all of them. */
const mostKnown = 4096
/** A block that could not be summarised so often is left alone. */
const mostTries = 3

export function summaryWriter(parts: SummaryWriterParts): SummaryWriter {
  const known = new PassingMap<string, GivenSummary>()
  const tries = new PassingMap<string, number>()
  const waiting = new Map<string, () => Promise<void>>()
  const stop = new AbortController()
  let running: Promise<void> | undefined

  const remember = (name: string, summary: GivenSummary): void => {
    known.set(name, summary)
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
  }

  const writeOne = async (name: string, work: SummaryWork, block: SummaryBlock): Promise<void> => {
    const result = await written(parts, { work, block, stop: stop.signal }, (summary) => remember(name, summary))
    if (result !== 'failed') return
    tries.set(name, (tries.get(name) ?? 0) + 1)
    for (const oldest of tries.keys()) {
      if (tries.size <= mostKnown) break
      tries.delete(oldest)
    }
  }

  const run = async (): Promise<void> => {
    for (const [name, one] of waiting) {
      if (stop.signal.aborted) break
      await one()
      waiting.delete(name)
    }
  }

  return {
    given(tenant, items, policy, writer) {
      if (known.size === 0) return []
      const blocks = [...dialogueBlocks(items, policy), ...briefBlocks(items, policy)]
      return blocks.flatMap(({ key }) => known.get(nameOf(tenant, writer, key)) ?? [])
    },
    write(work) {
      const { scope, items, policy, writer, leftOut } = work
      if (stop.signal.aborted) return
      const hasBrief =
        policy.epochs.compaction !== undefined &&
        items.some(({ kind, id }) => kind === 'tool-result' && leftOut.has(id))
      const blocks = hasBrief
        ? briefBlocks(items, policy).filter(({ itemIds }) => isLeftOut(itemIds, leftOut))
        : dialogueBlocks(items, policy)
      for (const block of blocks) {
        const name = nameOf(scope.tenant, writer, block.key)
        if (known.get(name) || waiting.has(name) || (tries.get(name) ?? 0) >= mostTries) continue
        if (waiting.size >= parts.limits.waiting) break
        waiting.set(name, () => writeOne(name, work, block))
      }
      running ??= run().finally(() => {
        running = undefined
      })
    },
    close() {
      stop.abort(new Error('the gateway stops'))
      waiting.clear()
    },
  }
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
  readonly stop: AbortSignal
}

/** Reads the block's summary, or has it written and keeps it. Never rejects. What fails is kept nowhere. */
async function written(
  { store, clock, metrics, logger, limits }: SummaryWriterParts,
  { work, block, stop }: ToWrite,
  remember: (summary: GivenSummary) => void,
): Promise<'kept' | 'written' | 'failed'> {
  const { scope, requestId, writer, count, policy } = work
  const { key, turns, itemIds, mostTokens = policy.summaries?.mostTokens ?? 2000 } = block
  try {
    const kept = await keptSummary(store, scope.tenant, { key, writer })
    if (kept !== undefined) {
      remember(kept)
      metrics.summaries.inc({ result: 'kept' })
      logger.info('summary', { requestId, result: 'kept' })
      return 'kept'
    }
    const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.timeoutMs)])
    const sourceTokens = turns.reduce((sum, { text }) => sum + count(text), 0)
    const { keepRatio = 0.3, leastTokens = 80 } = policy.summaries ?? {}
    const targetTokens = Math.min(mostTokens, Math.max(leastTokens, Math.ceil(keepRatio * sourceTokens)))
    const { prose = '' } = await work.summarizer(signal).summarize(turns, { targetTokens, count, key })
    const summary = { key, writer, prose }
    const figures = { itemIds, tokens: count(prose), sourceTokens, writtenMs: clock() }
    await keepSummary(store, scope, { ...summary, ...figures })
    remember(summary)
    metrics.summaries.inc({ result: 'written' })
    logger.info('summary', { requestId, result: 'written', tokens: figures.tokens, sourceTokens })
    return 'written'
  } catch (error) {
    if (stop.aborted) return 'failed'
    metrics.summaries.inc({ result: 'failed' })
    logger.warn('summary', {
      requestId,
      result: 'failed',
      reason: isPrehendError(error) ? error.code : nameOfError(error),
    })
    return 'failed'
  }
}

/** Never a message: it may quote what was said. */
function nameOfError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
