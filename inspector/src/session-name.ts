import type { SessionLabel } from './api/answers.ts'
import { dateAndTime } from './format.ts'

/** Whether the gateway has made the name, of the first words of a conversation. */
export function isUnnamed(session: string): boolean {
  return /^[0-9a-f]{32}$/.test(session)
}

/** What is known of a session. */
type Told = Pick<SessionLabel, 'words'> & Partial<Pick<SessionLabel, 'model' | 'client' | 'startedMs'>>

/**
 * What every page calls a session: its first words, if known, else the name that its client gave. One without either goes by its client,
 * or its model, and the time at which it began.
 */
export function sessionName(session: string, label: Told | undefined): string {
  if (label !== undefined && label.words !== '') return label.words
  if (!isUnnamed(session)) return session
  const who = label?.client ?? label?.model ?? undefined
  if (who === undefined || label?.startedMs == null) return `session ${session.slice(0, 6)}`
  return `${who}, ${dateAndTime(label.startedMs)}`
}

/** Tells sessions of the same words apart: the name that their client gave, the client, and the model. */
export function sessionNote(session: string, label: Told | undefined): string {
  if (label === undefined) return ''
  const isSaid = label.words !== ''
  const name = isSaid && !isUnnamed(session) ? session : ''
  const client = isSaid || !isUnnamed(session) ? (label.client ?? '') : ''
  return [name, client, label.model ?? ''].filter((part) => part !== '').join(', ')
}
