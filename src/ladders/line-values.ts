import type { ConversationContext, Item, KeptNames } from '../core/index.ts'
import type { ContentKind } from './content-kinds.ts'
import { freshWorth, withKindWorth } from './kind-worth.ts'
import { lineRelevance } from './line-relevance.ts'
import type { TextFacts } from './text-facts.ts'

/**
 * Expected later uses of each line of a result or a call: by the names that neither the context nor an earlier line shows, by what it says
 * in words and figures that nothing else says, and by what is asked for. Lines of 1 stay.
 */
export function lineValues(item: Item, facts: TextFacts, context: ConversationContext = {}): Float32Array {
  const { kind } = facts.text
  const states = withKept(statesOf(item, facts, context.askedAgain), facts, context.keeps)
  const { age = 0 } = context
  const byNames = nameValues(facts, states, context)
  if (item.kind === 'tool-call') return withKindWorth(byNames, noWorths)
  const share = shareOf(facts, context)
  const values = withKindWorth(byNames, freshWorth(facts.worths(), context.said), share * laterUse(age, lifeOf(kind)))
  const asked = askedIn(facts, context)
  if (asked === undefined) return values
  const worth = askedWorth * share * (listed.has(kind) ? laterUse(age, saidLife) : 1)
  return values.map((value, at) =>
    value >= 1 ? value : Math.min(0.98, value + worth * Math.min(mostAsked, asked[at] ?? 0)),
  )
}

const noWorths = new Float32Array(0)

/** What a page, a mail or a table says is collected for an answer at the end; what programs print is soon over. */
function lifeOf(kind: ContentKind): number {
  return printed.has(kind) ? printedLife : saidLife
}

const printed: ReadonlySet<ContentKind> = new Set(['config', 'log', 'prose'])
const printedLife = 12

/** What a file says can be read again: it is worth less than what a page, a mail or a query has said once, unless it holds data or results. */
function shareOf({ text: { kind }, worths }: TextFacts, { exact = false }: ConversationContext): number {
  if (!exact || worths().holdsResults) return 1
  return readAgain.has(kind) ? 0.15 : 0.6
}

const readAgain: ReadonlySet<ContentKind> = new Set(['prose', 'config', 'json'])

/** Of a line that has one rare word, or name, of what is asked for. */
const askedWorth = 0.03
const mostAsked = 3
const usualWords = 20
const usualNames = 4

/** In code and in what lists it nearly any word stands somewhere: there only names are looked for. */
const listed: ReadonlySet<ContentKind> = new Set([
  'source-code',
  'search-results',
  'directory-listing',
  'diff',
  'test-output',
  'build-output',
])

function askedIn(facts: TextFacts, context: ConversationContext): Float32Array | undefined {
  const { lines, kind } = facts.text
  const asked = askedOf(facts, context)
  return asked === undefined ? undefined : lineRelevance(lines, asked, listed.has(kind) ? usualNames : usualWords)
}

/** What is looked for in the lines of a text. */
export function askedOf(
  { text: { kind } }: Pick<TextFacts, 'text'>,
  context: ConversationContext,
): ReadonlySet<string> | undefined {
  if (kind === 'blob') return undefined
  return listed.has(kind) ? context.askedNames?.() : context.askedTerms?.()
}

/** The lines that must stay: of a result all that state a failure, or the first one where how it ended last is told elsewhere. */
function statesOf(
  { kind }: Item,
  { states, failure }: TextFacts,
  isAskedAgain: ConversationContext['askedAgain'],
): Uint8Array {
  if (kind === 'tool-call') return new Uint8Array(states.length)
  if (!states.includes(1) || isAskedAgain?.() !== true) return states
  const { blocks, summary, exitLine } = failure()
  const first = blocks.find(({ detailed }) => detailed) ?? blocks[0]
  const kept = new Uint8Array(states.length)
  for (const at of [...(first?.lines ?? []), summary, exitLine]) if (at !== undefined) kept[at] = 1
  return kept
}

/** Characters of a line that are looked at. */
const longestNamed = 400

/** The lines that must stay, with those that hold a name that is kept and their neighbours. */
function withKept(states: Uint8Array, { names, text }: TextFacts, keeps: KeptNames | undefined): Uint8Array {
  if (keeps === undefined) return states
  const isKept = names.names.map((name) => keeps.names.has(name))
  if (!isKept.includes(true) && keeps.words.size === 0) return states
  const holdsWord = (line: string): boolean =>
    keeps.words.size > 0 &&
    (line.slice(0, longestNamed).match(/[A-Za-z_]\w{3,}/g) ?? []).some((word) => keeps.words.has(word))
  const kept = states.slice()
  for (let line = 0; line < kept.length; line += 1) {
    const own = names.ids.subarray(names.starts[line], names.starts[line + 1])
    if (own.some((id) => isKept[id]) || holdsWord(text.lines[line] ?? ''))
      kept.fill(1, Math.max(0, line - keeps.around), line + keeps.around + 1)
  }
  return kept
}

const nothingShown: ReadonlySet<string> = new Set()
/** What stands in the addresses of a page is seldom typed. */
const pageShare = 0.25

function nameValues(
  { names, text: { kind } }: TextFacts,
  states: Uint8Array,
  context: ConversationContext,
): Float32Array {
  const { visible = nothingShown, age = 0, everyLine = 0 } = context
  const likelihood = laterUse(age) * (kind === 'html' ? pageShare : 1)
  const { ids, worths, starts } = names
  const isKnown = Uint8Array.from(names.names, (name) => (visible.has(name) ? 1 : 0))
  const values = new Float32Array(starts.length - 1)
  for (let line = 0; line < values.length; line += 1) {
    let value = states[line] === 1 ? 1 : everyLine
    const end = starts[line + 1] ?? 0
    for (let at = starts[line] ?? 0; at < end; at += 1) {
      const id = ids[at] ?? 0
      if (isKnown[id] === 1) continue
      isKnown[id] = 1
      value += (worths[at] ?? 0) * likelihood
    }
    values[line] = value
  }
  return values
}

const freshAge = 3
/** Steps after which a name that has not been used is 1/e as likely to be; fitted with the worth of names. */
const meanLife = 10

/** What a page, a mail or a table says is collected for an answer at the end. */
const saidLife = 24

/** How likely a later use is that many steps after a name appeared, relative to `freshAge` steps after. */
function laterUse(age: number, life = meanLife): number {
  return Math.exp(-Math.max(0, age - freshAge) / life)
}
