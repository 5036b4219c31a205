import type { BillingRuleName, CompactionRecall, StrategyReport } from '../src/inspect/index.ts'
import { linesAt } from './frontier-lines.ts'
import type { FrontierFigures, FrontierSession } from './frontier-figures.ts'
import { definitionTokens, longFrom } from './short-sessions.ts'

/** Kinds of sessions that gates differ by. */
export type GateSet = 'swe' | 'long' | 'mcp' | 'airline' | 'made'

/** A measure of a strategy over a set of sessions; null where the set has nothing of the kind. */
type Measure = (figures: GatedFigures) => number | null

/** A session, and its cost without the definition of our tool, where that cost is known. */
export type GatedSession = FrontierSession & { readonly above?: number; readonly besideTool?: number }
export type GatedFigures = Pick<FrontierFigures, 'report'> & { readonly sessions: readonly GatedSession[] }

const ofReport =
  (of: (report: StrategyReport) => number | null): Measure =>
  ({ report }) =>
    of(report)

const linesOf = (...classes: readonly string[]): Measure => ofReport((report) => linesAt(report, classes))

const afterOne = (what: 'own' | 'edits'): Measure =>
  ofReport(({ recallByCompactions }) => recallByCompactions.find(isOne)?.[what].recall ?? null)
const isOne = ({ compactions }: CompactionRecall): boolean => compactions === '1'

const dearestBy =
  (of: (session: FrontierSession) => number): Measure =>
  ({ sessions }) => {
    const long = sessions.filter(({ requests }) => requests >= longFrom)
    return long.length === 0 ? null : Math.max(...long.map(of))
  }

const measures = {
  'lines': ofReport((report) => report.needleLineRecall),
  'lines of 1-10 steps': linesOf('1-3', '4-10'),
  'lines of 11-20 steps': linesOf('11-20'),
  'lines of 21-40 steps': linesOf('21-40'),
  'lines over 40 steps': linesOf('41+'),
  'own calls': ofReport((report) => report.ownCallLineRecall),
  'own calls after one compaction': afterOne('own'),
  'edits': ofReport((report) => report.editTextRecall),
  'edits in one piece': ofReport((report) => report.editInOnePieceRecall),
  'edits after one compaction': afterOne('edits'),
  'failures hidden': ofReport((report) => report.failuresHidden),
  'ambiguous references, unread lines replaced': ofReport(
    (report) => report.referencesAmbiguous + report.unreadLinesReplaced,
  ),
  'requests for a compaction': ({ report, sessions }) =>
    report.compactions === 0 ? null : sessions.reduce((sum, { requests }) => sum + requests, 0) / report.compactions,
  'dearest session of ten requests and more': dearestBy(({ cost }) => cost),
  'dearest session of ten requests and more, settled': dearestBy(({ settledAll }) => settledAll),
  'tokens of a shorter session above sending everything, beside our tool': ({ sessions }) => {
    const short = sessions.filter(({ requests, above = 0 }) => requests < longFrom && above > definitionTokens)
    return short.length === 0 ? null : Math.max(...short.map(({ besideTool = 0 }) => besideTool))
  },
  'settled all': ofReport((report) => report.settledAllCostRatio),
} satisfies Readonly<Record<string, Measure>>

/** A limit of one measure. */
export interface Gate {
  readonly measure: keyof typeof measures
  /** The only kinds of sessions that it holds for; all where absent. */
  readonly sets?: readonly GateSet[]
  readonly least?: number
  readonly most?: number
  /** Limits for single billing rules, in place of `most`. */
  readonly mostBy?: Partial<Readonly<Record<BillingRuleName, number>>>
  /** Whether it holds for each session by itself. */
  readonly each?: boolean
}

const recorded: readonly GateSet[] = ['swe', 'long', 'mcp', 'airline']
const agents: readonly GateSet[] = ['swe', 'long']
const nothingWrong: readonly Gate[] = [
  { measure: 'failures hidden', most: 0 },
  { measure: 'ambiguous references, unread lines replaced', most: 0 },
]

/** The gates of each policy, by its name. */
export const policyGates: Readonly<Record<string, readonly Gate[]>> = {
  careful: [
    { measure: 'lines', sets: recorded, least: 0.96 },
    { measure: 'lines', sets: ['made'], least: 0.93 },
    { measure: 'lines of 11-20 steps', sets: recorded, least: 0.97 },
    { measure: 'lines of 21-40 steps', sets: recorded, least: 0.92 },
    { measure: 'lines over 40 steps', sets: ['long'], least: 0.3 },
    { measure: 'own calls', sets: recorded, least: 0.97 },
    { measure: 'own calls after one compaction', sets: agents, least: 0.95 },
    { measure: 'edits', sets: recorded, least: 0.97 },
    { measure: 'edits', sets: ['long'], least: 0.95, each: true },
    { measure: 'edits in one piece', sets: ['long'], least: 0.93 },
    ...nothingWrong,
    { measure: 'dearest session of ten requests and more', sets: recorded, most: 1, mostBy: { openai: 1.01 } },
    {
      measure: 'tokens of a shorter session above sending everything, beside our tool',
      sets: recorded,
      most: 0,
    },
  ],
  balanced: [
    { measure: 'lines of 1-10 steps', sets: agents, least: 0.99 },
    { measure: 'lines of 11-20 steps', sets: ['swe'], least: 0.85 },
    { measure: 'lines of 11-20 steps', sets: ['long'], least: 0.9 },
    { measure: 'lines', sets: ['swe'], least: 0.85 },
    { measure: 'lines', sets: ['long'], least: 0.94 },
    { measure: 'edits', sets: ['swe'], least: 0.93 },
    { measure: 'edits', sets: ['long'], least: 0.94 },
    { measure: 'edits in one piece', sets: ['long'], least: 0.9 },
    { measure: 'own calls', sets: agents, least: 0.95 },
    { measure: 'own calls after one compaction', sets: agents, least: 0.9 },
    { measure: 'edits after one compaction', sets: agents, least: 0.65 },
    ...nothingWrong,
    { measure: 'requests for a compaction', sets: agents, least: 40 },
    { measure: 'dearest session of ten requests and more', sets: recorded, most: 1.03 },
    { measure: 'dearest session of ten requests and more, settled', sets: recorded, most: 1.05 },
  ],
  thrifty: [
    { measure: 'lines of 1-10 steps', sets: agents, least: 0.97 },
    { measure: 'edits', sets: ['swe'], least: 0.9 },
    { measure: 'edits', sets: ['long'], least: 0.92 },
    { measure: 'own calls', sets: agents, least: 0.93 },
    { measure: 'failures hidden', sets: recorded, most: 0 },
    { measure: 'requests for a compaction', sets: agents, least: 30 },
    { measure: 'dearest session of ten requests and more', sets: recorded, most: 1.05 },
  ],
}

/** The aims for settled cost: by set, then by rules. */
type Aims = Partial<Readonly<Record<GateSet, Partial<Readonly<Record<BillingRuleName, number>>>>>>

export const policyAims: Readonly<Record<string, Aims>> = {
  careful: { swe: { plain: 0.92, anthropic: 0.93 }, long: { plain: 0.36, anthropic: 0.39 } },
  balanced: { swe: { plain: 0.84, anthropic: 0.87 }, long: { plain: 0.27, anthropic: 0.28 } },
  thrifty: { swe: { plain: 0.8, anthropic: 0.84 }, long: { plain: 0.21, anthropic: 0.22 } },
}

/** A gate or an aim, with its result. */
export interface Judged {
  readonly asked: string
  /** Null where the set has nothing of the kind; that is no miss. */
  readonly value: number | null
  readonly met: boolean
  readonly isAim: boolean
}

export interface JudgedBy {
  readonly policy: string
  readonly set: GateSet
  readonly rules: BillingRuleName
}

/** All gates and aims of a policy that concern a set; none of a policy that has no gates. */
export function judged(figures: GatedFigures, { policy, set, rules }: JudgedBy): readonly Judged[] {
  const gates = (policyGates[policy] ?? []).filter(({ sets }) => sets === undefined || sets.includes(set))
  const aim = policyAims[policy]?.[set]?.[rules]
  return [
    ...gates.map((gate) => judge(figures, gate, rules)),
    ...(aim === undefined
      ? []
      : [{ ...judge(figures, { measure: 'settled all', most: aim }, rules), isAim: true } as const]),
  ]
}

function judge(figures: GatedFigures, gate: Gate, rules: BillingRuleName): Judged {
  const { measure, least, each = false } = gate
  const most = gate.mostBy?.[rules] ?? gate.most
  const own = each ? figures.sessions.map((session) => ({ report: session.report, sessions: [session] })) : [figures]
  const values = own.flatMap((one) => measures[measure](one) ?? [])
  const value = values.length === 0 ? null : least === undefined ? Math.max(...values) : Math.min(...values)
  const met = value === null || (value >= (least ?? -Infinity) && value <= (most ?? Infinity) + 1e-9)
  return { asked: `${measure}${each ? ', each session' : ''}: ${boundOf(gate)}`, value, met, isAim: false }
}

function boundOf({ least, most, mostBy = {} }: Gate): string {
  if (least !== undefined) return `at least ${least}`
  const others = Object.entries(mostBy).map(([rules, bound]) => ` (${rules}: ${bound})`)
  return `at most ${most ?? 'any'}${others.join('')}`
}
