import type {
  BreachAction,
  NotJudged,
  Policy,
  QualityBreach,
  QualityMeasure,
  QualityPolicy,
  QualityRecord,
} from '../../core/index.ts'
import { PrehendError, qualityMeasures, qualityTargets } from '../../core/index.ts'
import type { Measures } from './quality-meter.ts'

/** What a pack is, as far as it says whether its measures mean anything. */
export interface Judged {
  readonly quality: QualityPolicy
  readonly packTokens: number
  /** Whether there was less room than everything would have taken. */
  readonly isShort: boolean
}

const usualMinTokens = 25_000

/** Shares of what is sent, which small packs miss however good they are. */
const sharesOfPack: ReadonlySet<QualityMeasure> = new Set([
  'signalDensity',
  'constraintDensity',
  'duplication',
  'staleness',
])

/** Which measures are out of bounds, and which were not judged. */
export function judgedQuality(measures: Measures, judged: Judged): QualityRecord {
  const { gates = qualityTargets } = judged.quality
  const notJudged: Partial<Record<QualityMeasure, NotJudged>> = {}
  const breaches: QualityBreach[] = []
  for (const measure of qualityMeasures) {
    const value = measures[measure]
    const gate = gates[measure]
    if (value === undefined || gate === undefined) continue
    const why = reasonNotTo(measure, judged)
    if (why !== undefined) {
      notJudged[measure] = why
      continue
    }
    const bounds = gate.least === undefined && gate.most === undefined ? qualityTargets[measure] : gate
    const { least = 0, most = 1 } = bounds
    if (value < least || value > most) breaches.push({ measure, value, ...bounds })
  }
  return {
    measures,
    ...(Object.keys(notJudged).length > 0 && { notJudged }),
    ...(breaches.length > 0 && { breaches }),
  }
}

function reasonNotTo(measure: QualityMeasure, { quality, packTokens, isShort }: Judged): NotJudged | undefined {
  if (measure === 'utilisation') return isShort ? undefined : 'room-to-spare'
  const { minTokens = usualMinTokens } = quality
  return sharesOfPack.has(measure) && packTokens < minTokens ? 'too-small' : undefined
}

/** What is done about a breach. */
export function breachAction({ quality }: Pick<Policy, 'quality'>, taskClass: string | undefined): BreachAction {
  const usual = taskClass === 'safety-critical' && quality !== undefined ? 'reject' : 'warn'
  return quality?.onBreach ?? usual
}

const remedies: Readonly<Record<QualityMeasure, string>> = {
  utilisation: 'Give a window that fits what is sent, or send what fits it',
  signalDensity: 'Leave out tools that are not called and results that nothing uses',
  provenance: 'Give evidence all of its provenance',
  constraintDensity: 'Shorten the instructions, or say each once',
  duplication: 'Leave out what is said already, or let references stand for it',
  staleness: 'Let old results go, or read again what is still needed',
  surface: 'Quote untrusted texts, put them between boundaries, or send less of them',
  fidelity: 'Give it more room, or a policy that shortens less',
}

/** Names the first breach, its value, its bound and what can be done. */
export function qualityError(breaches: readonly QualityBreach[], traceId: string): PrehendError<'quality-gate'> {
  const [first] = breaches
  if (first === undefined) throw new TypeError('an error has a breach')
  const remedy = `${remedies[first.measure]}, or move policy.quality.gates.${first.measure}.`
  const others = breaches.length === 1 ? '' : ` (and ${breaches.length - 1} more)`
  return new PrehendError('quality-gate', `${breachText(first)}${others}. ${remedy}`, { breaches, traceId, remedy })
}

/** Such as `duplication is 0.120, at most 0.050`. */
export function breachText({ measure, value, least, most }: QualityBreach): string {
  const isLow = least !== undefined && value < least
  return `${measure} is ${value.toFixed(3)}, at ${isLow ? `least ${least.toFixed(3)}` : `most ${(most ?? 1).toFixed(3)}`}`
}
