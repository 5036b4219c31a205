import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiProblem, ask } from './client.ts'
import type { Params } from './client.ts'

export interface Answer<T> {
  /** The newest that has come, also while a newer one is under way. */
  readonly data: T | undefined
  readonly problem: ApiProblem | undefined
  readonly isWaiting: boolean
  again(): void
}

/**
 * The gateway's answer to `path`, asked again where the question changes; nothing is asked without a path. What another
 * path has answered is not shown any more; with `body` it is asked by POST.
 */
export function useAnswer<T>(path: string | undefined, params: Params = {}, body?: unknown): Answer<T> {
  const question = path === undefined ? undefined : `${path}?${JSON.stringify([params, body])}`
  const [round, setRound] = useState(0)
  const [{ of, ...state }, setState] = useState<State<T>>({ ...nothing, of: path })
  const latest = useRef({ params, body })
  latest.current = { params, body }

  useEffect(() => {
    if (path === undefined) return undefined
    const ending = new AbortController()
    setState((before) => ({
      ...(before.of === path ? before : nothing),
      of: path,
      isWaiting: true,
      problem: undefined,
    }))
    const method = latest.current.body === undefined ? 'GET' : 'POST'
    ask<T>(path, { ...latest.current, method, signal: ending.signal }).then(
      (data) => setState({ data, problem: undefined, isWaiting: false, of: path }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        setState((before) => ({ ...before, problem: asProblem(error), isWaiting: false }))
      },
    )
    return () => ending.abort()
  }, [question, round])

  const again = (): void => setRound((before) => before + 1)
  return of === path ? { ...state, again } : { ...nothing, again }
}

type State<T> = Omit<Answer<T>, 'again'> & { readonly of: string | undefined }

const nothing = { data: undefined, problem: undefined, isWaiting: true }

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem(error instanceof Error ? error.message : String(error), { status: 0 })
}
