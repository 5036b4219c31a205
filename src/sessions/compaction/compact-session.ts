import type {
  Briefing,
  BudgetRequest,
  CompactionConfig,
  CompactionOrder,
  CompileInput,
  KeyedAnswer,
  Ledger,
  SessionRecord,
} from '../../core/index.ts'
import { PrehendError, usualCompaction } from '../../core/index.ts'
import type { ReceiptSummary, Scope, Store } from '../../stores/index.ts'
import { compileMemory } from '../compilers.ts'
import type { TenantParts } from '../session-parts.ts'
import { compactionsOf } from './compactions.ts'
import { changeRecord, readRecord } from './session-record.ts'

/** What compacting a session by hand needs of its host. */
export interface CompactionHost extends Pick<TenantParts, 'compile'> {
  readonly store: Store
  readonly clock: () => number
  readonly tenant?: (tenant: string) => Partial<TenantParts> | undefined
  /** The last request of a session, where it is known without its receipt. */
  readonly lastRequest?: (scope: Scope) => LastRequest | undefined
  /** Names an order; never the same twice. */
  readonly newName: () => string
}

/** Options of a compaction by hand. */
export interface CompactRequest extends Pick<CompactionConfig, 'preserveRecent' | 'summaryBudget'> {
  /** The same request with the same key is carried out once. */
  readonly key?: string | undefined
}

/** The result of a compaction. Sizes are in tokens. */
export interface CompactionResult {
  readonly sessionId: string
  /** `pending`: the next request of the conversation is compacted. `nothing`: nothing of it can go. `handed-over`: a new session goes on. */
  readonly status: 'pending' | 'nothing' | 'handed-over'
  /** What the last request took, and what it would take compacted. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly tokensSaved: number
  /** Compactions of the session, this one and those of its provider included. */
  readonly compactionCount: number
  readonly parentId?: string
  readonly briefing?: Briefing
}

/**
 * Orders a compaction of a session's largest conversation. A client sends its conversation anew with each request, so what is kept of it is
 * compacted when the next request brings it; the figures are those of the last request, compiled again with the order. One commit holds
 * order and answer. Rejects with `not-found`.
 */
export async function compactSession(
  host: CompactionHost,
  scope: Scope,
  asked: CompactRequest,
): Promise<CompactionResult> {
  const known = answerTo(await readRecord(host.store, scope), asked.key)
  if (known !== undefined) return known as CompactionResult
  const last = await lastRequestOf(host, scope)
  if (last === undefined) return unknownOrEmpty(host.store, scope)
  const name = host.newName()
  const tried = await triedOn(host, { scope, last, name, asked })
  const order = { name, lane: last.lane, ...settingsOf(tried.order) }
  const record = await changeRecord(host, scope, (before) => {
    if (answerTo(before, asked.key) !== undefined) return before
    const answers = withAnswer(before, asked.key, { ...tried.result, ...parentOf(before) })
    const isChanged = tried.result.status === 'pending' || asked.key !== undefined
    return isChanged ? { ...before, ...(tried.result.status === 'pending' && { order }), ...answers } : before
  })
  return (answerTo(record, asked.key) as CompactionResult | undefined) ?? { ...tried.result, ...parentOf(record) }
}

function parentOf({ parent }: SessionRecord): Pick<CompactionResult, 'parentId'> {
  return parent === undefined ? {} : { parentId: parent }
}

/** What was answered to a request with this key. */
export function answerTo(record: SessionRecord | undefined, key: string | undefined): unknown {
  return key === undefined ? undefined : record?.answers?.find((known) => known.key === key)?.answer
}

const mostAnswers = 16

export function withAnswer(
  { answers = [] }: SessionRecord,
  key: string | undefined,
  answer: unknown,
): { readonly answers?: readonly KeyedAnswer[] } {
  return key === undefined ? {} : { answers: [...answers, { key, answer }].slice(-mostAnswers) }
}

/** Requests that are looked through for the newest of each conversation. */
const mostReceipts = 200

/** The last request of a conversation, as far as it is known. */
export interface LastRequest extends Pick<ReceiptSummary, 'lane'> {
  readonly model?: string | undefined
  /** What it took. */
  readonly tokens: number
  /** Absent where content is not recorded. */
  readonly input?: CompileInput | undefined
  /** Whether it came to offer the tool that follows handles. */
  readonly offers: boolean
}

/** Of the conversation with the most tokens: title requests and other side questions are not meant. */
export async function lastRequestOf(
  { store, lastRequest }: Pick<CompactionHost, 'store' | 'lastRequest'>,
  scope: Scope,
): Promise<LastRequest | undefined> {
  const known = lastRequest?.(scope)
  if (known !== undefined) return known
  const { tenant, session } = scope
  const newest = new Map<string, ReceiptSummary>()
  for (const receipt of await store.read('receipts').list(tenant, { limit: mostReceipts, session }))
    if (receipt.mode === 'on' && receipt.dialect !== 'compile' && !newest.has(receipt.lane))
      newest.set(receipt.lane, receipt)
  const [largest] = [...newest.values()].toSorted((a, b) => b.originalTokens - a.originalTokens)
  if (largest === undefined) return undefined
  const receipt = await store.read('receipts').get(tenant, largest.requestId, { input: true, request: false })
  const { lane, model, packTokens } = largest
  const { overheadTokens = 0, offers } = receipt?.manifest ?? {}
  return { lane, model, tokens: packTokens + overheadTokens, input: receipt?.input, offers: offers === true }
}

/** A session that was only observed, or of which no receipt is left, has nothing to compact. */
async function unknownOrEmpty(store: Store, { tenant, session }: Scope): Promise<CompactionResult> {
  const [found] = await store.read('results').sessions(tenant, { limit: 1, session })
  if (found === undefined) throw unknownSession()
  return { sessionId: session, status: 'nothing', tokensBefore: 0, tokensAfter: 0, tokensSaved: 0, compactionCount: 0 }
}

export function unknownSession(): PrehendError<'not-found'> {
  const remedy = 'List them with GET /v1/sessions, or with prehend sessions.'
  return new PrehendError('not-found', `There is no such session. ${remedy}`, { what: 'session', remedy })
}

interface ToTry {
  readonly scope: Scope
  readonly last: LastRequest
  readonly name: string
  readonly asked: CompactRequest
}

interface Tried {
  readonly order: CompactionOrder
  readonly result: CompactionResult
}

/** What the last request would be, compacted. Where its content is not recorded, the order is given all the same and saves what it will. */
async function triedOn(host: CompactionHost, { scope, last, name, asked }: ToTry): Promise<Tried> {
  const { tenant, session } = scope
  const at = { tenant, session, lane: last.lane }
  const state = await host.store.read('sessions').get(at)
  const order = { ...settingsOf(asked), now: name }
  const compaction = compiledAgain(host, at, { last, ledger: state?.ledger, order })
  const { own, provider } = compactionsOf(state?.ledger, last.input?.items ?? [])
  const isPending = last.input === undefined || compaction !== undefined
  const { tokensBefore, tokensAfter } = compaction ?? { tokensBefore: last.tokens, tokensAfter: last.tokens }
  return {
    order,
    result: {
      sessionId: session,
      status: isPending ? 'pending' : 'nothing',
      tokensBefore,
      tokensAfter,
      tokensSaved: tokensBefore - tokensAfter,
      compactionCount: own + provider + (isPending ? 1 : 0),
    },
  }
}

interface ToCompile {
  readonly last: LastRequest
  readonly ledger: Ledger | undefined
  readonly order: CompactionOrder
}

function compiledAgain(host: CompactionHost, { tenant }: Scope, { last, ledger, order }: ToCompile) {
  if (last.input === undefined) return undefined
  const { ledger: _, budget, ...input } = last.input
  const { compile } = { compile: host.compile, ...host.tenant?.(tenant) }
  const again = {
    ...input,
    budget: budgetAfter(budget, last),
    ...(ledger && { ledger }),
    nowMs: host.clock(),
    compaction: order,
  }
  return compile(input.model ?? '', again, compileMemory()).manifest.compaction
}

/** A request that came to offer our tool has it from then on. */
function budgetAfter(budget: BudgetRequest, { offers }: LastRequest): BudgetRequest {
  const { offerTokens = 0, overheadTokens = 0, ownTokens = 0, ...rest } = budget
  if (!offers) return budget
  return { ...rest, overheadTokens: overheadTokens + offerTokens, ownTokens: ownTokens + offerTokens }
}

function settingsOf(config: CompactionConfig): Required<Pick<CompactionConfig, 'preserveRecent' | 'summaryBudget'>> {
  const { preserveRecent = usualCompaction.preserveRecent, summaryBudget = usualCompaction.summaryBudget } = config
  return { preserveRecent, summaryBudget }
}
