import type { AllocatorSignals } from '../../core/index.ts'

/** Sections whose weight the signals move. */
export type SignalledSection = 'evidence' | 'memory' | 'history'

export interface SignalWeights {
  /** Every signal that was given, in [0, 1]. */
  readonly normalised: Readonly<Record<string, number>>
  /** In [0.5, 1]: a half where nothing is known or all is quiet, one where every signal of the section is at its top. */
  readonly weights: Readonly<Record<SignalledSection, number>>
}

type Signal = keyof AllocatorSignals

/** Which signals speak for which section. */
const speakers: Readonly<Record<SignalledSection, readonly Signal[]>> = {
  evidence: ['checklistEvidenceRatio', 'expectedToolCalls', 'risk'],
  memory: ['retrievalHitRate', 'similarity', 'freshnessDays'],
  history: ['unresolvedQuestions', 'dialogueDepth'],
}

const risks = { low: 0, medium: 0.5, high: 1 } as const

/** Counts saturate at this rate: half way at k. */
const saturate = (count: number, k: number): number => count / (count + k)

/** Days in which remembered facts lose half of their weight. */
const halfLifeDays = 14

/** Brings every signal to [0, 1], so that none swamps the others by its unit. */
const normalisers: Readonly<Record<Signal, (signals: AllocatorSignals) => number | undefined>> = {
  checklistEvidenceRatio: ({ checklistEvidenceRatio }) => checklistEvidenceRatio,
  expectedToolCalls: ({ expectedToolCalls }) => expectedToolCalls && saturate(expectedToolCalls, 3),
  risk: ({ risk }) => risk && risks[risk],
  retrievalHitRate: ({ retrievalHitRate }) => retrievalHitRate,
  similarity: ({ similarity }) => similarity,
  freshnessDays: ({ freshnessDays }) =>
    freshnessDays === undefined ? undefined : 2 ** (-freshnessDays / halfLifeDays),
  unresolvedQuestions: ({ unresolvedQuestions }) => unresolvedQuestions && saturate(unresolvedQuestions, 4),
  dialogueDepth: ({ dialogueDepth }) => dialogueDepth && saturate(dialogueDepth, 10),
}

/** What the signals say each section deserves; rises with every one of its signals, and falls with the age of what memory holds. */
export function signalWeights(signals?: AllocatorSignals): SignalWeights {
  return signals === undefined ? unsaid : weightsBy(signals)
}

function weightsBy(signals: AllocatorSignals): SignalWeights {
  const normalised: Record<string, number> = {}
  const weightOf = (section: SignalledSection): number => {
    let sum = 0
    for (const signal of speakers[section]) {
      const value = normalisers[signal](signals)
      if (value === undefined) continue
      normalised[signal] = value
      sum += value
    }
    return 0.5 + (0.5 * sum) / speakers[section].length
  }
  const weights = { evidence: weightOf('evidence'), memory: weightOf('memory'), history: weightOf('history') }
  return { normalised, weights }
}

/** Where nobody gives a signal. */
const unsaid = weightsBy({})
