import type { LiveEvent } from '../api/events.ts'
import { count, counted, percent, tokens } from '../format.ts'
import { reasonWords, rungWords, sectionWords } from '../glossary.ts'
import { epochWords } from '../words.ts'

type Data = LiveEvent['data']

/** What an event says, in a line; texts of a conversation are not among it. */
export function eventWords({ type, data }: LiveEvent): string {
  return (words[type] ?? figuresOf)(data)
}

const words: Readonly<Record<string, (data: Data) => string>> = {
  'context:assembled': ({ turn, tokens: sent, sections }) =>
    `turn ${count(Number(turn))}: ${count(Number(sent))} tokens in ${counted(Number(sections), ['section', 'sections'])}`,
  'context:compacted': ({ originalTokens, compactedTokens, sections }) =>
    `${tokens(Number(originalTokens))} to ${tokens(Number(compactedTokens))} tokens, in ${listOf(sections)}`,
  'context:fidelity': ({ section, fidelity }) =>
    `${percent(Number(fidelity))} of ${sectionWords(String(section))} is still readable`,
  'context:truncated': ({ event }) => {
    const { section, rung, reason, itemIds = [] } = event as Truncated
    return `${counted(itemIds.length, ['item', 'items'])} of ${sectionWords(section)}, ${rungWords(rung)}: ${reasonWords(reason)}`
  },
  'context:epoch': ({ record }) => {
    const { decision, cause } = record as { readonly decision: string; readonly cause: string }
    return `${decision}: ${epochWords(cause)}`
  },
  'context:feedback-loop': ({ adjustments }) =>
    `learned of reports and outcomes: ${(adjustments as readonly Adjustment[]).slice(0, 3).map(adjustmentWords).join(', ')}`,
  'missed': ({ events }) => `${counted(Number(events), ['event', 'events'])} came faster than they could be told`,
}

interface Adjustment {
  readonly path: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
}

function adjustmentWords({ path, before, after }: Adjustment): string {
  return `${path.join(' ')} ${before === undefined ? '' : `${written(before)} to `}${written(after)}`
}

interface Truncated {
  readonly section: string
  readonly rung: string
  readonly reason: string
  readonly itemIds?: readonly string[]
}

function listOf(names: unknown): string {
  return Array.isArray(names) ? names.map((name) => sectionWords(String(name))).join(', ') : String(names)
}

const common: ReadonlySet<string> = new Set(['at', 'session', 'requestId', 'type'])

function figuresOf(data: Data): string {
  const facts = Object.entries(data).filter(([name]) => !common.has(name))
  return facts.map(([name, value]) => `${name} ${written(value)}`).join(', ') || 'open'
}

function written(value: unknown): string {
  if (typeof value === 'number') return count(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, 160) : String(value)
}
