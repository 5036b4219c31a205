import type { Briefing, Item, SummaryTurn } from '../../core/index.ts'
import { filesAtWork, openTasks, workSoFar } from '../../compiler/index.ts'
import { extractTurns, mustStay } from '../../ladders/index.ts'
import { briefingIn } from './briefing-item.ts'

/** What bounds a briefing. */
export interface BriefingBounds {
  readonly budgetTokens: number
  count(text: string): number
}

/** Longest text of one entry that is not a rule, in characters. */
const mostChars = 1200
/** Newest of each kind. */
const mostFiles = 20
const mostContext = 24
const mostSteps = 8

/**
 * A briefing without a model: the first request is the objective, what the user demands, corrects and decides stands word for word, and
 * what is open comes next. Shortened to its budget, the rules last; what is left of it holds failures that stand and views of edited files. Pure.
 */
export function draftBriefing(items: readonly Item[], { budgetTokens, count }: BriefingBounds): Briefing {
  const turns = turnsOf(items)
  const lines = mustStay(turns).lines
  const rules = unique([
    ...ruleLines(turns),
    ...lines.flatMap(({ mark, text }) => (mark === 'must hold' ? [text] : [])),
  ])
  const requests = turns.filter(({ role }) => role === 'user').map(({ text }) => text)
  const [first = ''] = requests
  const latest = requests.at(-1) ?? first
  const open = openTasks(items).slice(0, mostSteps)
  const settled = lines.filter(({ text }) => !rules.includes(text)).map(({ text }) => text)
  const said = turns.findLast(({ role, text }) => role === 'assistant' && text.trim() !== '')?.text
  const draft: Briefing = {
    objective: cut(first === '' ? 'Go on with the work of the session before.' : first),
    context: nonEmpty(unique([...settled.slice(-mostContext), ...filesLine(items), ...(said ? [cut(said)] : [])])),
    state: [...open, ...lastCall(items)],
    constraints: rules,
    nextSteps: open.length > 0 ? open : [cut(latest === '' ? 'Go on.' : latest)],
  }
  return withWork(items, shortened(draft, { budgetTokens, count }), { budgetTokens, count })
}

/** What is left of the budget holds the failures that stand and views of the files that were edited. */
function withWork(items: readonly Item[], draft: Briefing, { budgetTokens, count }: BriefingBounds): Briefing {
  const leftTokens = budgetTokens - count(JSON.stringify(draft))
  const work = workSoFar(items, count)
  // Quotes and line breaks take more inside of JSON.
  for (const share of [0.85, 0.6, 0.3]) {
    const { failures, views } = work(share * leftTokens)
    const briefing = { ...draft, context: [...draft.context, ...views], state: [...draft.state, ...failures] }
    if (count(JSON.stringify(briefing)) <= budgetTokens) return briefing
  }
  return draft
}

const binds = /\b(?:must|never|always|do not|don['’]t|may not|shall not)\b/i

/** Sentences of the user that bind whoever goes on, word for word; who asks whether something must be has not said that it must. */
export function ruleLines(turns: readonly SummaryTurn[]): readonly string[] {
  const { lines } = extractTurns(turns, { targetTokens: Infinity, count: () => 0 })
  return unique(
    lines.flatMap(({ role, text }) => (role === 'user' && binds.test(text) && !/\?\s*$/.test(text) ? [text] : [])),
  )
}

export function turnsOf(items: readonly Item[]): readonly SummaryTurn[] {
  let turn = 0
  return items.flatMap((item): readonly SummaryTurn[] => {
    const { kind, role, text, section } = item
    const briefing = briefingIn(item)
    if (briefing !== undefined) {
      turn += 1
      return briefedTurns(briefing, turn)
    }
    if (kind !== 'text' || section === 'policy' || section === 'tools' || (role !== 'user' && role !== 'assistant'))
      return []
    if (role === 'user') turn += 1
    return [{ turn: Math.max(1, turn), role, text }]
  })
}

/** A briefing as if it had been said: by the user what is wanted and what binds, by the model what it had found out. */
function briefedTurns({ objective, context, constraints }: Briefing, turn: number): readonly SummaryTurn[] {
  const rules = constraints.filter((rule) => !objective.includes(rule))
  return [
    { turn, role: 'user', text: [objective, ...rules].join('\n') },
    { turn, role: 'assistant', text: context.join('\n') },
  ]
}

function filesLine(items: readonly Item[]): readonly string[] {
  const newest = filesAtWork(items).slice(0, mostFiles)
  return newest.length === 0 ? [] : [`Files at work, the newest first: ${newest.join(', ')}`]
}

function lastCall(items: readonly Item[]): readonly string[] {
  const call = items.findLast(({ kind }) => kind === 'tool-call')
  return call === undefined ? [] : [cut(`The last call, which is done: ${call.toolName ?? 'tool'} ${call.text}`, 300)]
}

/** Leaves out the oldest context first, then state, then all but the first step; what binds stays. */
function shortened(draft: Briefing, { budgetTokens, count }: BriefingBounds): Briefing {
  let briefing = draft
  const isTooLong = (): boolean => count(JSON.stringify(briefing)) > budgetTokens
  while (isTooLong() && briefing.context.length > 1) briefing = { ...briefing, context: briefing.context.slice(1) }
  while (isTooLong() && briefing.state.length > 0) briefing = { ...briefing, state: briefing.state.slice(0, -1) }
  while (isTooLong() && briefing.nextSteps.length > 1)
    briefing = { ...briefing, nextSteps: briefing.nextSteps.slice(0, -1) }
  for (let chars = 600; isTooLong() && chars >= 75; chars /= 2)
    briefing = {
      ...briefing,
      objective: cut(briefing.objective, chars),
      context: briefing.context.map((line) => cut(line, chars)),
      nextSteps: briefing.nextSteps.map((line) => cut(line, chars)),
    }
  return briefing
}

/** Whole words, with a sign that more was said. */
function cut(text: string, chars = mostChars): string {
  const flat = text.trim()
  if (flat.length <= chars) return flat
  const end = flat.lastIndexOf(' ', chars)
  return `${flat.slice(0, end > chars / 2 ? end : chars).trimEnd()} …`
}

function nonEmpty(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ['Nothing was decided yet.']
}

function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)]
}
