import type { JSX } from 'preact'
import { addressOf } from '../address.ts'

/** Whether the gateway has made the name, of the first words of a conversation. */
export function isUnnamed(session: string): boolean {
  return /^[0-9a-f]{32}$/.test(session)
}

/** Leads to a session; of a name that was made, its beginning is enough to tell it from others. */
export function SessionLink({ session }: { readonly session: string }): JSX.Element {
  return (
    <a href={addressOf.session(session)} title={session}>
      {isUnnamed(session) ? `${session.slice(0, 12)}…` : session}
    </a>
  )
}
