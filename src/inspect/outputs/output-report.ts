import type { InjectionDetector, Rendition } from '../../core/index.ts'
import { contentKind, ladderFor } from '../../ladders/index.ts'
import type { CurvePoint, FidelityCurve } from './fidelity-curve.ts'
import { fidelityCurve } from './fidelity-curve.ts'
import type { RecordedOutput } from './recorded-output.ts'
import { structuredRoundTrip } from './structured-round-trip.ts'

/** How far outputs are shortened: without loss, mildly, as far as lines stay, to one line. */
export const outputLevels = ['lossless', 'trimmed', 'strict', 'line'] as const
export type OutputLevel = (typeof outputLevels)[number]

/** Outputs of one kind of content at one level. */
export interface LevelReport {
  /** Share of their tokens that is left. */
  readonly tokens: number
  /** Share of the needed lines that stand whole; null where nothing was needed. */
  readonly needed: number | null
  /** Mean of what the rungs say of themselves, by tokens. */
  readonly claimed: number
}

export interface KindReport {
  readonly kind: string
  readonly outputs: number
  readonly tokens: number
  readonly needed: number
  readonly levels: Readonly<Record<OutputLevel, LevelReport>>
}

export interface OutputReport {
  readonly name: string
  readonly outputs: number
  /** All of them first, then kind by kind, the largest first. */
  readonly kinds: readonly KindReport[]
  /** JSON documents that are shown in another form that loses nothing. */
  readonly structured: {
    readonly documents: number
    readonly exact: number
    readonly values: number
    readonly lost: number
    /** Share of their tokens that is left. */
    readonly tokens: number | null
  }
  /** Outputs that the built-in detector takes for orders, at the threshold of policy `guarded`. */
  readonly flagged: {
    readonly outputs: number
    /** Those that were looked at: definitions of tools are not. */
    readonly judged: number
    /** Of these; null where there are none. */
    readonly share: number | null
    readonly reasons: Readonly<Record<string, number>>
  }
  readonly curve: FidelityCurve
}

export interface OutputOptions {
  count(text: string): number
  readonly detector: InjectionDetector
  /** From which score on an output is flagged. */
  readonly threshold: number
}

/** Collects outputs one by one. */
export interface OutputMeasure {
  add(output: RecordedOutput): void
  report(name: string): OutputReport
}

const allKinds = 'all'
const handle = '482915037114'

/** What the ladders make of outputs, what of that can be read back, and how many the detector takes for an attack. */
export function outputMeasure({ count, detector, threshold }: OutputOptions): OutputMeasure {
  const kinds = new Map<string, KindSums>()
  const points: CurvePoint[] = []
  const structured = { documents: 0, exact: 0, values: 0, lost: 0, before: 0, after: 0 }
  const reasons: Record<string, number> = {}
  let judged = 0
  let flagged = 0
  return {
    add({ item, needles }) {
      const { text, toolName } = item
      const kind = item.kind === 'tool-schema' ? item.kind : contentKind(text, toolName)
      const ladder = ladderFor(item, { count, handle })
      const full = ladder[0]
      if (full === undefined) return
      for (const name of [allKinds, kind]) addTo(sumsOf(kinds, name), { text, full, ladder, needles })
      points.push(...curvePoints({ text, full, ladder, needles }))
      // A definition is no data: white space around its texts may go.
      if (item.kind === 'tool-schema') return
      addRoundTrip(structured, text, { full, shown: shownAt(ladder, 'lossless') })
      judged += 1
      const { score, reasons: why } = detector.score(text, { trust: 'untrusted', section: 'history', kind: item.kind })
      if (score < threshold) return
      flagged += 1
      const [reason = 'unknown'] = why
      reasons[reason] = (reasons[reason] ?? 0) + 1
    },
    report(name) {
      const outputs = kinds.get(allKinds)?.outputs ?? 0
      const { before, after, ...counts } = structured
      return {
        name,
        outputs,
        kinds: Array.from(kinds, ([kind, sums]) => kindReport(kind, sums)).toSorted(byTokens),
        structured: { ...counts, tokens: before === 0 ? null : after / before },
        flagged: { outputs: flagged, judged, share: judged === 0 ? null : flagged / judged, reasons },
        curve: fidelityCurve(points),
      }
    },
  }
}

interface LevelSums {
  tokens: number
  kept: number
  claimed: number
}

interface KindSums {
  outputs: number
  tokens: number
  needed: number
  readonly levels: Readonly<Record<OutputLevel, LevelSums>>
}

function sumsOf(kinds: Map<string, KindSums>, kind: string): KindSums {
  const none = (): LevelSums => ({ tokens: 0, kept: 0, claimed: 0 })
  const known = kinds.get(kind) ?? {
    outputs: 0,
    tokens: 0,
    needed: 0,
    levels: { lossless: none(), trimmed: none(), strict: none(), line: none() },
  }
  kinds.set(kind, known)
  return known
}

interface Laddered {
  readonly text: string
  readonly full: Rendition
  readonly ladder: readonly Rendition[]
  readonly needles: readonly string[]
}

function addTo(sums: KindSums, { text, full, ladder, needles }: Laddered): void {
  sums.outputs += 1
  sums.tokens += full.tokens
  sums.needed += needles.length
  for (const level of outputLevels) {
    const shown = shownAt(ladder, level) ?? full
    const at = sums.levels[level]
    at.tokens += shown.tokens
    at.claimed += shown.fidelity * full.tokens
    at.kept += keptLines(needles, text, shown)
  }
}

/** What is shown at a level: its rung or, where an output has none, the one above. */
function shownAt(ladder: readonly Rendition[], level: OutputLevel): Rendition | undefined {
  const lossless = ladder.findLast(({ rung }) => rung === 'full' || rung === 'lossless')
  if (level === 'lossless') return lossless
  const trimmed = ladder.filter(({ rung }) => rung === 'trimmed')
  if (level === 'trimmed') return trimmed[0] ?? lossless
  const strict = trimmed.at(-1) ?? lossless
  return level === 'strict' ? strict : (ladder.find(({ rung }) => rung === 'line') ?? strict)
}

/** Lines beyond this length are shown by pieces. */
const longLine = 500

function keptLines(needles: readonly string[], text: string, shown: Rendition): number {
  if (shown.fidelity === 1) return needles.length
  const lines = new Set(shown.text.split('\n'))
  const all = text.split('\n')
  return needles.filter((needle) =>
    all.some(
      (line) => line.includes(needle) && (line.length > longLine ? shown.text.includes(needle) : lines.has(line)),
    ),
  ).length
}

function curvePoints({ text, full, ladder, needles }: Laddered): readonly CurvePoint[] {
  if (needles.length === 0 || full.tokens === 0) return []
  return ladder
    .filter(({ rung }) => rung === 'trimmed' || rung === 'line')
    .map((shown) => ({
      removed: 1 - shown.tokens / full.tokens,
      needed: needles.length,
      kept: keptLines(needles, text, shown),
      claimed: shown.fidelity,
    }))
}

interface RoundTripSums {
  documents: number
  exact: number
  values: number
  lost: number
  before: number
  after: number
}

function addRoundTrip(
  sums: RoundTripSums,
  text: string,
  { full, shown }: { readonly full: Rendition; readonly shown: Rendition | undefined },
): void {
  if (shown === undefined || shown.text === text) return
  const trip = structuredRoundTrip(text, shown.text)
  if (trip === undefined) return
  sums.documents += 1
  sums.exact += trip.isExact ? 1 : 0
  sums.values += trip.values
  sums.lost += trip.lost
  sums.before += full.tokens
  sums.after += shown.tokens
}

function kindReport(kind: string, { outputs, tokens, needed, levels }: KindSums): KindReport {
  const levelReport = (level: OutputLevel): LevelReport => ({
    tokens: share(levels[level].tokens, tokens),
    needed: needed === 0 ? null : levels[level].kept / needed,
    claimed: share(levels[level].claimed, tokens),
  })
  const reports = {
    lossless: levelReport('lossless'),
    trimmed: levelReport('trimmed'),
    strict: levelReport('strict'),
    line: levelReport('line'),
  }
  return { kind, outputs, tokens, needed, levels: reports }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}

function byTokens(a: KindReport, b: KindReport): number {
  const rank = ({ kind }: KindReport): number => (kind === allKinds ? 0 : 1)
  return rank(a) - rank(b) || b.tokens - a.tokens || (a.kind < b.kind ? -1 : 1)
}
