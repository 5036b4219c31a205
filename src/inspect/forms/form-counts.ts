import { isJsonObject } from '../../core/index.ts'
import type { Form } from './form.ts'
import type { ReadFound } from './read-forms.ts'
import { wireMessages } from './wire-messages.ts'

/** What was recognised in a file. */
export interface ReadForm {
  readonly name: string
  readonly requests: number
  /** What was sent with the requests and none of the sessions holds: figures are without it. */
  readonly lacks: readonly ('system prompt' | 'tools')[]
}

interface Tally {
  requests: number
  sessions: number
  hasSystem: boolean
  hasTools: boolean
}

export interface FormCounts {
  /** Counts the requests that something found stood for. */
  add(read: ReadFound, requests: number): void
  /** Of each form, in order of first appearance. */
  forms(): readonly ReadForm[]
}

export function formCounts(): FormCounts {
  const tallies = new Map<Form, Tally>()
  return {
    add({ form, found }, requests) {
      const tally = tallies.get(form) ?? { requests: 0, sessions: 0, hasSystem: false, hasTools: false }
      tallies.set(form, tally)
      tally.requests += requests
      if (found.kind === 'request') return
      const { front, messages } = wireMessages(found.body, found.dialect)
      tally.sessions += 1
      tally.hasTools ||= front['tools'] !== undefined
      tally.hasSystem ||= front['system'] !== undefined || messages.some(({ raw }) => isInstruction(raw))
    },
    forms: () =>
      Array.from(tallies, ([{ name }, { requests, sessions, hasSystem, hasTools }]) => ({
        name,
        requests,
        lacks: [
          ...(sessions > 0 && !hasSystem ? (['system prompt'] as const) : []),
          ...(sessions > 0 && !hasTools ? (['tools'] as const) : []),
        ],
      })),
  }
}

function isInstruction(raw: unknown): boolean {
  return isJsonObject(raw) && (raw['role'] === 'system' || raw['role'] === 'developer')
}
