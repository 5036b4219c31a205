import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { SessionLabel } from '../api/answers.ts'

/** Whether the gateway has made the name, of the first words of a conversation. */
export function isUnnamed(session: string): boolean {
  return /^[0-9a-f]{32}$/.test(session)
}

interface SessionLinkProps {
  readonly session: string
  /** What the session is about, where that is known. */
  readonly label?: SessionLabel | undefined
}

/** Leads to a session; of a name that was made, its beginning is enough to tell it from others. */
export function SessionLink({ session, label }: SessionLinkProps): JSX.Element {
  if (label !== undefined && label.words !== '')
    return (
      <a class="session-words" href={addressOf.session(session)} title={session}>
        {label.words}{' '}
        <small class="quiet">{isUnnamed(session) ? label.model : `${session}, ${label.model ?? ''}`}</small>
      </a>
    )
  return (
    <a href={addressOf.session(session)} title={session}>
      {isUnnamed(session) ? `${session.slice(0, 12)}…` : session}
    </a>
  )
}
