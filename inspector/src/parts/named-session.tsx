import type { JSX } from 'preact'
import { useSessionLabel } from '../api/use-session-label.ts'
import { SessionLink } from './session-link.tsx'

/** Leads to a session by what it is about, which is asked for. */
export function NamedSession({ session }: { readonly session: string }): JSX.Element {
  return <SessionLink session={session} label={useSessionLabel(session)} />
}
