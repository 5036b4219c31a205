import { useEffect, useState } from 'preact/hooks'
import { ask } from './client.ts'
import type { Params } from './client.ts'
import { listen } from './events.ts'
import { asProblem } from './use-answer.ts'
import type { Answer } from './use-answer.ts'

export interface Following<T> {
  readonly session: string
  /** Whether something of the answer has not ended, and is to be asked for again without an event. */
  readonly isOpen: (data: T) => boolean
}

/** What has happened is asked for so long after it was told: a reply takes its time. */
const settleMs = 1500

/** So often what has not ended is asked for again. */
const openEveryMs = 5000

/** An answer about a session, asked again a little after something has happened in it: once for all that happens until then. */
export function useFollowed<T>(path: string, params: Params, { session, isOpen }: Following<T>): Answer<T> {
  const question = `${path}?${JSON.stringify(params)}`
  const [round, setRound] = useState(0)
  const [{ of, ...state }, setState] = useState<State<T>>({ ...nothing, of: path })

  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    setState((before) => ({ ...(before.of === path ? before : nothing), of: path, isWaiting: true }))
    const come = async (): Promise<boolean> => {
      const data: T = await ask(path, { params, signal })
      setState({ data, problem: undefined, isWaiting: false, of: path })
      return isOpen(data)
    }
    const fail = (error: unknown): void => {
      if (!signal.aborted) setState((before) => ({ ...before, problem: asProblem(error), isWaiting: false }))
    }
    come().then((isStillOpen) => follow(session, { signal, come, isStillOpen }), fail)
    return () => ending.abort()
  }, [question, round])

  const again = (): void => setRound((before) => before + 1)
  return of === path ? { ...state, again } : { ...nothing, again }
}

type State<T> = Omit<Answer<T>, 'again'> & { readonly of: string }

const nothing = { data: undefined, problem: undefined, isWaiting: true }

interface Follower {
  readonly signal: AbortSignal
  /** Reads what is new; says whether something of it has not ended. */
  come(): Promise<boolean>
  readonly isStillOpen: boolean
}

/** One question is under way at a time; what happens meanwhile is asked for after it. */
function follow(session: string, { signal, come, isStillOpen }: Follower): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let [isAsking, hasMore] = [false, false]
  const soon = (ms: number): void => {
    hasMore ||= isAsking
    if (!isAsking) timer ??= setTimeout(() => void now(), ms)
  }
  const now = async (): Promise<void> => {
    timer = undefined
    if (signal.aborted) return
    isAsking = true
    hasMore = false
    // The next event asks again.
    const isOpen = await come().catch(() => false)
    isAsking = false
    if (hasMore) soon(settleMs)
    else if (isOpen) soon(openEveryMs)
  }
  if (isStillOpen) soon(openEveryMs)
  void listen(signal, { session, isFromNow: true, onEvent: () => soon(settleMs), onState: () => undefined })
}
