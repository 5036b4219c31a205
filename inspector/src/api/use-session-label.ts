import type { SessionLabel } from './answers.ts'
import { useAnswer } from './use-answer.ts'

/** What one session is about; nothing is asked without its name. */
export function useSessionLabel(session: string | undefined): SessionLabel | undefined {
  const path = session === undefined || session === '' ? undefined : '/v1/session-labels'
  const answer = useAnswer<{ readonly data: readonly SessionLabel[] }>(path, { session })
  return answer.data?.data.find((label) => label.session === session)
}
