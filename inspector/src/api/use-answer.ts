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

/** The gateway's answer to `path`, asked again where the question changes; nothing is asked without a path. */
export function useAnswer<T>(path: string | undefined, params: Params = {}): Answer<T> {
  const question = path === undefined ? undefined : `${path}?${JSON.stringify(params)}`
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<Answer<T>, 'again'>>(nothing)
  const latest = useRef(params)
  latest.current = params

  useEffect(() => {
    if (path === undefined) return undefined
    const ending = new AbortController()
    setState((before) => ({ ...before, isWaiting: true, problem: undefined }))
    ask<T>(path, { params: latest.current, signal: ending.signal }).then(
      (data) => setState({ data, problem: undefined, isWaiting: false }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        setState((before) => ({ ...before, problem: asProblem(error), isWaiting: false }))
      },
    )
    return () => ending.abort()
  }, [question, round])

  const again = (): void => setRound((before) => before + 1)
  return { data: state.data, problem: state.problem, isWaiting: state.isWaiting, again }
}

const nothing = { data: undefined, problem: undefined, isWaiting: true }

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem(error instanceof Error ? error.message : String(error), { status: 0 })
}
