import { randomUUID } from 'node:crypto'
import type { Policy } from '../../core/index.ts'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { StrategyReport } from '../../inspect/index.ts'
import type { Store } from '../../stores/index.ts'
import { recordedRequests } from './recorded-requests.ts'
import type { ReplayNews, ReplayStart, ReplayThread, ReplayedSession } from './replay-messages.ts'

/** What is to be replayed, and how. */
export interface ReplayWish extends Omit<ReplayStart, 'policies'> {
  readonly policies: readonly Policy[]
  readonly sessions: readonly string[]
  /** Lines as `prehend replay` reads them. */
  readonly trace?: string | undefined
}

export type ReplayState = 'running' | 'done' | 'failed' | 'cancelled'

/** A replay, while it runs and afterwards. */
export interface Replay {
  readonly id: string
  readonly state: ReplayState
  readonly startedMs: number
  readonly endedMs: number | null
  readonly policies: readonly string[]
  /** Those policies, whole. */
  readonly compared: readonly Policy[]
  readonly asked: readonly string[]
  readonly progress: { readonly done: number; readonly of: number; readonly session: string | null }
  /** Requests that could not be replayed: nothing of them is recorded. */
  readonly unrecorded: number
  readonly error: string | null
  readonly provider: string | null
  readonly totals: readonly StrategyReport[]
  readonly sessions: readonly ReplayedSession[]
}

/** Replays of tenants: one at a time each, the last ones kept until the process ends. */
export interface ReplayDesk {
  /** Throws `conflict` while another of the tenant's runs, and `unavailable` where others' do. */
  start(tenant: string, wish: ReplayWish): Replay
  all(tenant: string): readonly Replay[]
  one(tenant: string, id: string): Replay | undefined
  /** Ends one that runs; gives it as it stands then. */
  cancel(tenant: string, id: string): Replay | undefined
  close(): Promise<void>
}

export interface ReplayDeskParts {
  readonly store: Store
  readonly clock: () => number
  /** Starts the thread of one replay. */
  openThread(start: ReplayStart, hear: (news: ReplayNews) => void): ReplayThread
}

/** Of a tenant's that have ended. */
const mostKept = 20
/** Of all tenants together, at one time. */
const mostRunning = 2
const mostMs = 30 * 60_000

interface Running {
  replay: Replay
  readonly thread: ReplayThread
  readonly timer: NodeJS.Timeout
}

export function replayDesk(parts: ReplayDeskParts): ReplayDesk {
  const ended = new Map<string, readonly Replay[]>()
  const running = new Map<string, Running>()

  const end = (
    tenant: string,
    state: Exclude<ReplayState, 'running'>,
    error: string | null = null,
  ): Replay | undefined => {
    const found = running.get(tenant)
    if (!found) return undefined
    running.delete(tenant)
    clearTimeout(found.timer)
    found.thread.end()
    const replay: Replay = { ...found.replay, state, error, endedMs: parts.clock() }
    ended.set(tenant, [replay, ...(ended.get(tenant) ?? [])].slice(0, mostKept))
    return replay
  }

  const hear = (tenant: string, id: string, news: ReplayNews): void => {
    const found = running.get(tenant)
    if (found?.replay.id !== id) return
    found.replay = told(found.replay, news)
    if (news.kind === 'done') end(tenant, 'done')
    if (news.kind === 'failed') end(tenant, 'failed', news.message)
  }

  /** Never rejects. */
  const feed = async (tenant: string, wish: ReplayWish, own: Running | undefined): Promise<void> => {
    if (!own) return
    try {
      const unrecorded = await fed(parts.store, { tenant, wish, thread: own.thread })
      own.replay = { ...own.replay, unrecorded }
    } catch (error) {
      if (running.get(tenant) === own) end(tenant, 'failed', messageOf(error))
    }
  }

  return {
    start(tenant, wish) {
      requireRoom(running, tenant)
      const { policies, model, windowTokens } = wish
      const replay = begun(wish, parts.clock())
      const thread = parts.openThread({ policies, model, windowTokens }, (news) => hear(tenant, replay.id, news))
      const timer = setTimeout(() => end(tenant, 'failed', 'It took longer than half an hour.'), mostMs)
      timer.unref()
      running.set(tenant, { replay, thread, timer })
      void feed(tenant, wish, running.get(tenant))
      return replay
    },
    all: (tenant) => {
      const now = running.get(tenant)
      return [...(now ? [now.replay] : []), ...(ended.get(tenant) ?? [])]
    },
    one(tenant, id) {
      return this.all(tenant).find((replay) => replay.id === id)
    },
    cancel(tenant, id) {
      return running.get(tenant)?.replay.id === id ? end(tenant, 'cancelled') : this.one(tenant, id)
    },
    async close() {
      for (const tenant of running.keys()) end(tenant, 'cancelled')
    },
  }
}

function begun({ policies, sessions, trace }: ReplayWish, nowMs: number): Replay {
  return {
    id: `rpl_${randomUUID().replaceAll('-', '')}`,
    state: 'running',
    startedMs: nowMs,
    endedMs: null,
    policies: policies.map(({ id }) => id),
    compared: policies,
    asked: [...sessions, ...(trace === undefined ? [] : ['trace'])],
    progress: { done: 0, of: 0, session: null },
    unrecorded: 0,
    error: null,
    provider: null,
    totals: [],
    sessions: [],
  }
}

function told(replay: Replay, news: ReplayNews): Replay {
  if (news.kind === 'progress') {
    const { done, of, session } = news
    return { ...replay, progress: { done, of, session } }
  }
  if (news.kind === 'session') return { ...replay, sessions: [...replay.sessions, news.session] }
  if (news.kind !== 'done') return replay
  const { of } = replay.progress
  return { ...replay, progress: { done: of, of, session: null }, provider: news.provider, totals: news.totals }
}

function requireRoom(running: ReadonlyMap<string, Running>, tenant: string): void {
  const own = running.get(tenant)
  if (own) {
    const what = `replay ${own.replay.id}`
    const remedy = `Wait for it, or end it with DELETE /v1/replays/${own.replay.id}.`
    throw new PrehendError('conflict', `One replay runs at a time, and ${what} does. ${remedy}`, { what, remedy })
  }
  if (running.size < mostRunning) return
  const remedy = 'Try again in some minutes.'
  throw new PrehendError('unavailable', `Others replay just now. ${remedy}`, { retryAfterMs: 60_000, remedy })
}

interface Feeding {
  readonly tenant: string
  readonly wish: ReplayWish
  readonly thread: ReplayThread
}

/** Hands over what is to be replayed; gives how many requests are not recorded. */
async function fed(store: Store, { tenant, wish: { sessions, trace }, thread }: Feeding): Promise<number> {
  let unrecorded = 0
  let requests = 0
  for (const session of sessions)
    for await (const request of recordedRequests(store, tenant, session)) {
      if (request === undefined) unrecorded += 1
      else {
        requests += 1
        thread.tell({ kind: 'request', request })
      }
    }
  if (requests === 0 && trace === undefined)
    throw invalidInput('sessions', 'have no request whose content is recorded', 'Name others, or give a trace.')
  if (trace !== undefined) thread.tell({ kind: 'trace', text: trace })
  thread.tell({ kind: 'run' })
  return unrecorded
}

function messageOf(error: unknown): string {
  return error instanceof PrehendError ? error.message : 'Something went wrong while it was prepared.'
}
