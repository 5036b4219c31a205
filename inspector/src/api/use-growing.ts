import { useEffect, useState } from 'preact/hooks'
import { ask } from './client.ts'
import type { Params } from './client.ts'
import { asProblem } from './use-answer.ts'
import type { Answer } from './use-answer.ts'

interface Page {
  readonly next: string | null
}

export interface Growing<Of extends Page, Whole> {
  /** Of the first page, which is to be there soon, and of those behind it. */
  readonly limits: readonly [first: number, then: number]
  /** What is there with one more page; nothing is there before the first. */
  readonly join: (before: Whole | undefined, page: Of) => Whole
  /** Whether there is enough of it. */
  readonly isEnough?: (whole: Whole) => boolean
}

/** All pages of something long, shown as they come. What another question has answered is not shown any more. */
export function useGrowing<Of extends Page, Whole>(
  path: string | undefined,
  params: Params,
  { limits, join, isEnough = () => false }: Growing<Of, Whole>,
): Answer<Whole> {
  const question = path === undefined ? undefined : `${path}?${JSON.stringify(params)}`
  const [round, setRound] = useState(0)
  const [{ of, ...state }, setState] = useState<State<Whole>>({ ...nothing, of: question })

  useEffect(() => {
    if (path === undefined) return undefined
    const ending = new AbortController()
    setState({ ...nothing, of: question })
    const read = async (): Promise<void> => {
      let whole: Whole | undefined
      let [limit] = limits
      for (let cursor: string | undefined; ;) {
        const page: Of = await ask(path, { params: { ...params, limit, cursor }, signal: ending.signal })
        const data = join(whole, page)
        whole = data
        cursor = page.next ?? undefined
        limit = limits[1]
        const isWaiting = cursor !== undefined && !isEnough(data)
        setState({ data, problem: undefined, isWaiting, of: question })
        if (!isWaiting) return
      }
    }
    read().catch((error: unknown) => {
      if (!ending.signal.aborted) setState((before) => ({ ...before, problem: asProblem(error), isWaiting: false }))
    })
    return () => ending.abort()
  }, [question, round])

  const again = (): void => setRound((before) => before + 1)
  return of === question ? { ...state, again } : { ...nothing, again }
}

type State<Whole> = Omit<Answer<Whole>, 'again'> & { readonly of: string | undefined }

const nothing = { data: undefined, problem: undefined, isWaiting: true }
