import { useEffect, useRef, useState } from 'preact/hooks'
import type { List, TimelineEntry } from './answers.ts'
import { ask } from './client.ts'
import { listen } from './events.ts'
import { asProblem } from './use-answer.ts'
import type { Answer } from './use-answer.ts'

/** More requests of a session than these are not shown. */
const most = 20_000

const pageSize = 1000

/** What has happened is asked for so long after it was told: a reply takes its time. */
const settleMs = 1500

/** A session's requests, the oldest first, as they come: those that are there, and those that follow while somebody looks. */
export function useTimeline(session: string): Answer<readonly TimelineEntry[]> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/timeline`
  const [round, setRound] = useState(0)
  const [state, setState] = useState<State>({ ...nothing, of: path })
  const rows = useRef<readonly TimelineEntry[]>([])

  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const show = (next: readonly TimelineEntry[], isWaiting: boolean): void => {
      rows.current = next
      setState({ data: next, problem: undefined, isWaiting, of: path })
    }
    const fail = (error: unknown): void => {
      if (!signal.aborted) setState((before) => ({ ...before, problem: asProblem(error), isWaiting: false }))
    }
    rows.current = []
    setState({ ...nothing, of: path })
    const whole = readOn(path, { signal, before: [], show })
    const come = async (): Promise<boolean> => {
      await readNewer(path, { signal, rows: rows.current, show })
      return firstOpen(rows.current) >= 0
    }
    whole.then(() => follow(session, { signal, come }), fail)
    return () => ending.abort()
  }, [path, round])

  const again = (): void => setRound((before) => before + 1)
  return state.of === path ? { ...state, again } : { ...nothing, again }
}

type State = Omit<Answer<readonly TimelineEntry[]>, 'again'> & { readonly of: string }

const nothing = { data: undefined, problem: undefined, isWaiting: true }

interface Reading {
  readonly signal: AbortSignal
  readonly before: readonly TimelineEntry[]
  readonly show: (rows: readonly TimelineEntry[], isWaiting: boolean) => void
}

/** Reads pages behind `before`, and shows each as it comes; sums go on from there. */
async function readOn(path: string, { signal, before, show }: Reading): Promise<void> {
  let rows = before
  const last = before.at(-1)
  for (let cursor: string | undefined; ;) {
    const place = cursor === undefined ? { after: last?.sequence } : { cursor }
    const page: List<TimelineEntry> = await ask(path, { params: { ...place, limit: pageSize }, signal })
    rows = [...rows, ...(last ? page.data.map((row) => withSums(row, last)) : page.data)]
    cursor = page.next ?? undefined
    const isWaiting = cursor !== undefined && rows.length < most
    show(rows, isWaiting)
    if (!isWaiting) return
  }
}

function withSums(row: TimelineEntry, { soFar }: TimelineEntry): TimelineEntry {
  const sums = Object.entries(row.soFar).map(([name, value]) => [name, value + soFar[name as keyof typeof soFar]])
  return { ...row, soFar: Object.fromEntries(sums) as TimelineEntry['soFar'] }
}

/** What has come since, and what had not ended when it was read. */
async function readNewer(
  path: string,
  { signal, rows, show }: Omit<Reading, 'before'> & { readonly rows: readonly TimelineEntry[] },
): Promise<void> {
  const open = firstOpen(rows)
  const settled = open < 0 ? rows : rows.slice(0, open)
  if (settled.length < most) await readOn(path, { signal, before: settled, show })
}

/** Requests of a session that may be under way at once; what stayed open long ago was never told the end of. */
const openAtMost = 50

function firstOpen(rows: readonly TimelineEntry[]): number {
  return rows.findIndex(({ status }, index) => status === null && index >= rows.length - openAtMost)
}

/** So often requests that have not ended are asked for again. */
const openEveryMs = 5000

interface Following {
  readonly signal: AbortSignal
  /** Reads what is new; says whether something of it has not ended. */
  come(): Promise<boolean>
}

/** Calls a little after something has happened, once for all that happens until then, and again while a request is under way. */
function follow(session: string, { signal, come }: Following): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (!signal.aborted) void come().then((isOpen) => isOpen && soon(openEveryMs), nothingNew)
    }, ms)
  }
  void listen(signal, { session, isFromNow: true, onEvent: () => soon(settleMs), onState: () => undefined })
}

/** The next event asks again. */
function nothingNew(): void {
  return undefined
}
