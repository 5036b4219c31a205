import type { Summarizer, SummarizeOptions, Summary, SummaryLine, SummaryTurn } from '../core/index.ts'
import { markOf } from './said-marks.ts'
import { saidPassages } from './said-passages.ts'

/** What makes a line worth its place, as shares of a sum. Our choice: the sources name no figures (Q-06). */
const weights = {
  density: 0.6,
  relevance: 0.6,
  recency: 0.1,
  decided: 0.35,
  corrected: 0.45,
  binding: 0.4,
  /** Names inside a sentence. */
  named: 0.3,
  /** What a user begins a turn with is most often what is asked. */
  asked: 0.15,
  user: 0.1,
  /** What only leads over to what comes next. */
  passing: -0.25,
} as const
/** How fast a turn ages, by the turn. */
const gamma = 0.05

export interface ExtractOptions extends Pick<SummarizeOptions, 'targetTokens' | 'count' | 'focus'> {
  /** Most lines that are no more than said; all that there is room for by default. */
  readonly bullets?: number
}

/**
 * What some turns come to, word for word: the lines that score highest by density, what they have to do with the question, recency, and
 * whether they settle, correct or bind, within the target, in the order in which they were said; and tables as they stood last.
 */
export function extractTurns(turns: readonly SummaryTurn[], options: ExtractOptions): Summary {
  const passages = turns.map((turn) => ({ turn, ...saidPassages(turn.text) }))
  const lines = passages.flatMap(({ turn: { turn, role }, sentences }) =>
    sentences.map((text): SummaryLine => {
      const mark = markOf(text, role)
      return { turn, role, text, ...(mark && { mark }) }
    }),
  )
  return chosenLines({ lines, tables: passages.flatMap(({ tables }) => tables) }, options)
}

/** Several summaries as one, by the same rules. */
export function foldSummaries(summaries: readonly Summary[], options: ExtractOptions): Summary {
  const lines = summaries.flatMap((summary) => summary.lines)
  const tables = summaries.flatMap((summary) => summary.tables)
  const prose = summaries.flatMap((summary) => summary.prose ?? []).join('\n')
  return chosenLines({ lines, tables, ...(prose !== '' && { prose }) }, options)
}

/** What must stay of some turns, whatever it takes: what users have bound, corrected or settled, and tables. */
export function mustStay(turns: readonly SummaryTurn[]): Summary {
  const { lines, tables } = extractTurns(turns, { targetTokens: Infinity, count: () => 0 })
  return { lines: lines.filter(({ mark, role }) => mark !== undefined && role === 'user'), tables }
}

/** The summarizer that needs nobody: quotes what was said. */
export const extractiveSummarizer: Summarizer = {
  id: 'extractive/1',
  summarize: async (turns, options) => extractTurns(turns, options),
}

/** A line of a summary as it is shown. */
export function lineText({ turn, role, text, mark }: SummaryLine): string {
  return `${turn} ${role}${mark === undefined ? '' : `, ${mark}`}: ${text}`
}

interface Scored {
  readonly line: SummaryLine
  readonly at: number
  readonly score: number
}

function chosenLines(summary: Summary, options: ExtractOptions): Summary {
  const { targetTokens, count, bullets = Infinity } = options
  const tables: string[] = []
  let left = targetTokens
  for (const table of lastOfEach(summary.tables).toReversed()) {
    const tokens = count(table)
    if (tokens > left) continue
    left -= tokens
    tables.unshift(table)
  }
  const kept: Scored[] = []
  let said = 0
  for (const one of scored(withoutCopies(summary.lines), options)) {
    if (one.line.mark === undefined && said >= bullets) continue
    const tokens = count(lineText(one.line)) + 1
    if (tokens > left) continue
    left -= tokens
    said += one.line.mark === undefined ? 1 : 0
    kept.push(one)
  }
  const lines = kept.toSorted((a, b) => a.at - b.at).map(({ line }) => line)
  return { lines, tables, ...(summary.prose !== undefined && { prose: summary.prose }) }
}

/** Of tables with the same head the newest: it is the state of things. */
function lastOfEach(tables: readonly string[]): readonly string[] {
  const byHead = new Map<string, string>()
  for (const table of tables) {
    const head = headOf(table)
    byHead.delete(head)
    byHead.set(head, table)
  }
  return [...byHead.values()]
}

function headOf(table: string): string {
  const [first = ''] = table.split('\n', 1)
  return first.startsWith('|') ? first : first.slice(0, first.indexOf(':'))
}

/** What is said again stands where it was said last. */
function withoutCopies(lines: readonly SummaryLine[]): readonly SummaryLine[] {
  const last = new Map(lines.map((line, at) => [`${line.role} ${line.text.toLowerCase()}`, at]))
  const places = new Set(last.values())
  return lines.filter((_, at) => places.has(at))
}

function scored(lines: readonly SummaryLine[], { focus = '' }: ExtractOptions): readonly Scored[] {
  const newest = lines.at(-1)?.turn ?? 0
  const words = lines.map(({ text }) => wordsOf(text))
  const spread = new Map<string, number>()
  for (const own of words) for (const word of new Set(own)) spread.set(word, (spread.get(word) ?? 0) + 1)
  const asked = new Set(wordsOf(focus))
  return lines
    .map((line, at): Scored => {
      const own = words[at] ?? []
      const marked = line.mark === undefined ? 0 : weightOf(line)
      const age = newest - line.turn
      const score =
        weights.density * densityOf(own, spread, lines.length) +
        weights.named * Math.min(1, namesIn(line.text) / 3) +
        weights.relevance * overlapOf(own, asked) +
        weights.recency * Math.exp(-gamma * age) +
        weights.passing * Number(isPassing(line)) +
        (line.role === 'user' ? weights.user : 0) +
        (isAsked(line, lines[at - 1]) ? weights.asked : 0) +
        marked
      return { line, at, score }
    })
    .toSorted((a, b) => b.score - a.score || b.at - a.at)
}

function isAsked({ role, turn }: SummaryLine, before: SummaryLine | undefined): boolean {
  return role === 'user' && (before?.role !== 'user' || before.turn !== turn)
}

const passing =
  /^(?:(?:now|ok(?:ay)?|good|great|perfect|alright|so|and|first|next)[,.!]? )*(?:let me|let['’]s (?:see|look|check)|i['’]ll|i will|i am going to|looking at|checking)\b|^(?:good|great|perfect|done|sure|thanks?|thank you|yes|okay?)\b.{0,24}$/i

const courtesy = /^(?:thanks?|thank you|hey|hi|hello|wow|great|nice|yeah|sure|ok(?:ay)?|cool|awesome)\b.{0,28}$/i

/** Says what is done next or that something is heard, or announces what is not quoted with it. */
function isPassing({ text, role }: SummaryLine): boolean {
  if (text.length < 12 || courtesy.test(text)) return true
  return role === 'assistant' && (passing.test(text) || text.endsWith(':') || text.startsWith('#'))
}

/** Users decide; what a model calls decided is a report of it. */
function weightOf({ mark, role }: SummaryLine): number {
  const weight = mark === 'corrected' ? weights.corrected : mark === 'decided' ? weights.decided : weights.binding
  return role === 'user' ? 1 + weight : weight
}

/** How much a line says that others do not: the mean rarity of its words, names and numbers twice, less for lines of a few words. */
function densityOf(own: readonly string[], spread: ReadonlyMap<string, number>, lines: number): number {
  if (own.length === 0) return 0
  let sum = 0
  for (const word of own) {
    const rarity = 1 - Math.log(spread.get(word) ?? 1) / Math.log(Math.max(2, lines))
    sum += rarity * (/\p{N}|[_./]/u.test(word) ? 3 : 1)
  }
  return (sum / own.length) * Math.min(1, own.length / 6)
}

/** Words with a capital inside a sentence, which is most often a name. */
function namesIn(text: string): number {
  return text.match(/[\p{L}\p{N},;] \p{Lu}[\p{L}'-]{2,}/gu)?.length ?? 0
}

/** Cosine of two sets of words. */
function overlapOf(own: readonly string[], asked: ReadonlySet<string>): number {
  if (asked.size === 0 || own.length === 0) return 0
  const distinct = new Set(own)
  let shared = 0
  for (const word of distinct) if (asked.has(word)) shared += 1
  return shared / Math.sqrt(distinct.size * asked.size)
}

/** Words of four letters and more, numbers, and names with signs in them; of scripts without spaces every letter. */
function wordsOf(text: string): readonly string[] {
  const found =
    text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_./-]+/gu) ?? []
  return found.filter((word) => word.length > 3 || /\p{N}|[^\p{ASCII}]/u.test(word))
}
