import type { SessionLabel } from './api/answers.ts'

/** Whether the gateway has made the name, of the first words of a conversation. */
export function isUnnamed(session: string): boolean {
  return /^[0-9a-f]{32}$/.test(session)
}

/** What every page calls a session: its first words, if known; of a name that was made, the beginning is enough. */
export function sessionName(session: string, label: Pick<SessionLabel, 'words'> | undefined): string {
  if (label !== undefined && label.words !== '') return label.words
  return isUnnamed(session) ? `${session.slice(0, 12)}…` : session
}

/** Tells sessions of the same words apart: the name that their client gave, and the model. */
export function sessionNote(session: string, label: SessionLabel | undefined): string {
  if (label === undefined || label.words === '') return ''
  const model = label.model ?? ''
  return isUnnamed(session) ? model : [session, model].filter((part) => part !== '').join(', ')
}
