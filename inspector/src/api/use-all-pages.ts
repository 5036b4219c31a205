import { useEffect, useState } from 'preact/hooks'
import { ask } from './client.ts'
import type { Params } from './client.ts'
import type { List } from './answers.ts'
import { asProblem } from './use-answer.ts'
import type { Answer } from './use-answer.ts'

/** All pages of a list, shown as they come, `most` entries at most. */
export function useAllPages<Row>(path: string | undefined, params: Params, most: number): Answer<readonly Row[]> {
  const question = path === undefined ? undefined : `${path}?${JSON.stringify(params)}`
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<Answer<readonly Row[]>, 'again'>>(nothing)

  useEffect(() => {
    if (path === undefined) return undefined
    const ending = new AbortController()
    setState(nothing)
    const read = async (): Promise<void> => {
      let rows: readonly Row[] = []
      for (let cursor: string | undefined; ;) {
        const page: List<Row> = await ask(path, { params: { ...params, cursor }, signal: ending.signal })
        rows = [...rows, ...page.data]
        cursor = page.next ?? undefined
        const isWaiting = cursor !== undefined && rows.length < most
        setState({ data: rows, problem: undefined, isWaiting })
        if (!isWaiting) return
      }
    }
    read().catch((error: unknown) => {
      if (!ending.signal.aborted) setState((before) => ({ ...before, problem: asProblem(error), isWaiting: false }))
    })
    return () => ending.abort()
  }, [question, round])

  return { ...state, again: () => setRound((before) => before + 1) }
}

const nothing = { data: undefined, problem: undefined, isWaiting: true }
