import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { SessionLabel } from '../api/answers.ts'
import { sessionName, sessionNote } from '../session-name.ts'

interface SessionLinkProps {
  readonly session: string
  /** What the session is about, where that is known. */
  readonly label?: SessionLabel | undefined
}

/** Leads to a session. */
export function SessionLink({ session, label }: SessionLinkProps): JSX.Element {
  const note = sessionNote(session, label)
  return (
    <a class={label?.words ? 'session-words' : undefined} href={addressOf.session(session)} title={session}>
      {sessionName(session, label)}
      {note !== '' && <small class="quiet"> {note}</small>}
    </a>
  )
}
