import { useMemo } from 'preact/hooks'
import type { SessionLabel } from './answers.ts'
import { useAnswer } from './use-answer.ts'

/** What the newest sessions are about, by their names. */
export function useSessionLabels(): ReadonlyMap<string, SessionLabel> {
  const answer = useAnswer<{ readonly data: readonly SessionLabel[] }>('/v1/session-labels')
  return useMemo(() => new Map((answer.data?.data ?? []).map((label) => [label.session, label])), [answer.data])
}
