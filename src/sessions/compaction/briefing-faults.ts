import type { Briefing, Item } from '../../core/index.ts'
import { filesAtWork } from '../../compiler/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { namesIn } from '../names-in.ts'
import type { BriefingBounds } from './draft-briefing.ts'

export interface BriefingCheck extends BriefingBounds {
  /** The whole thread. */
  readonly items: readonly Item[]
  /** What must stand in it word for word. */
  readonly rules: readonly string[]
}

const lists = ['context', 'state', 'constraints', 'nextSteps'] as const

/** What is wrong with a briefing, in sentences for whoever wrote it; nothing where it may be used. */
export function briefingFaults(value: unknown, check: BriefingCheck): readonly string[] {
  const wrong = formFaults(value)
  if (wrong.length > 0) return wrong
  const briefing = value as Briefing
  const text = JSON.stringify(briefing)
  const tokens = check.count(text)
  const missing = check.rules.filter((rule) => !briefing.constraints.some((line) => line.includes(rule)))
  const names = new Set(namesIn(wordsOf(briefing)))
  const unnamed = [...names].filter((name) => !isNamed(check.items, name))
  // A path from a folder that a command has gone into stands nowhere as such.
  const files = unnamed.length === 0 ? [] : filesAtWork(check.items)
  const unknown = unnamed.filter((name) => !files.some((path) => path.includes(name)))
  return [
    ...(tokens > check.budgetTokens ? [`It takes ${tokens} tokens, and may take ${check.budgetTokens}.`] : []),
    ...missing.map((rule) => `constraints lacks, word for word: ${rule}`),
    ...unknown.map((name) => `${name} does not occur in the conversation.`),
  ]
}

function formFaults(value: unknown): readonly string[] {
  if (!isJsonObject(value)) return ['It is not a JSON object.']
  const { objective } = value
  const known = ['objective', ...lists]
  return [
    ...(typeof objective === 'string' && objective.trim() !== '' ? [] : ['objective is missing or empty.']),
    ...lists.flatMap((name) => listFault(name, value[name])),
    ...Object.keys(value).flatMap((name) => (known.includes(name) ? [] : [`${name} is not a member.`])),
  ]
}

/** Nothing may be open, and nothing may bind; facts and steps there always are. */
const mayBeEmpty: readonly string[] = ['state', 'constraints']

function listFault(name: string, value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((line) => typeof line === 'string' && line.trim() !== '')
  if (!isList) return [`${name} is missing, or is not a list of texts.`]
  return value.length === 0 && !mayBeEmpty.includes(name) ? [`${name} is empty.`] : []
}

function wordsOf({ objective, context, state, constraints, nextSteps }: Briefing): string {
  return [objective, ...context, ...state, ...constraints, ...nextSteps].join('\n')
}

function isNamed(items: readonly Item[], name: string): boolean {
  return items.some(({ text, toolCallId }) => text.includes(name) || toolCallId === name)
}
