import { useState } from 'preact/hooks'
import type { Steering } from './answers.ts'
import { ask } from './client.ts'
import { asProblem, useAnswer } from './use-answer.ts'

interface SteeringChange {
  readonly note?: string | null
  readonly pin?: readonly string[]
  readonly unpin?: readonly string[]
}

export interface Steered {
  readonly steering: Steering | undefined
  readonly isBusy: boolean
  /** Why the last change was refused. */
  readonly problem: string | undefined
  change(change: SteeringChange): Promise<boolean>
}

/** The note and the pinned items of a session; nothing is asked without its name. */
export function useSteering(session: string | undefined): Steered {
  const path = session === undefined ? undefined : `/v1/sessions/${encodeURIComponent(session)}/steering`
  const { data } = useAnswer<Steering>(path)
  const [changed, setChanged] = useState<Steering>()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const change = async (wish: SteeringChange): Promise<boolean> => {
    if (path === undefined) return false
    setIsBusy(true)
    try {
      setChanged(await ask<Steering>(path, { method: 'POST', body: wish }))
      setProblem(undefined)
      return true
    } catch (error) {
      setProblem(asProblem(error).message)
      return false
    } finally {
      setIsBusy(false)
    }
  }
  const newest = changed?.sessionId === session ? changed : undefined
  return { steering: newest ?? data, isBusy, problem, change }
}
