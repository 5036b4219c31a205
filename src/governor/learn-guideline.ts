import type { Guideline, GuidelineKey } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'

/** A failure with a compressed context, and what the full one would have shown. */
export interface CompressionFailure extends GuidelineKey {
  /** Whether the same step succeeds with the full context: only then compression was to blame. */
  readonly avoidedByFull: boolean
  readonly originalTokens: number
  readonly compressedTokens: number
  /** What was left out and would have been needed, in its own words. */
  readonly lost: string
  /** What came of it, in a sentence. */
  readonly impact: string
}

/** Options of `learnGuideline`. */
export interface LearnOptions {
  /** A cheap model: takes the prompt, gives one or two sentences. A rule about what was lost is written where absent. */
  write?(prompt: string): Promise<string>
  /** Makes the id of the guideline. */
  newId(): string
  readonly nowMs: number
}

/**
 * A guideline from a failure that full context would have avoided, with counts of zero; undefined where it would have failed as well. Throws
 * `invalid-input` where nothing is said to be lost.
 */
export async function learnGuideline(
  failure: CompressionFailure,
  { write, newId, nowMs }: LearnOptions,
): Promise<Guideline | undefined> {
  if (!failure.avoidedByFull) return undefined
  if (failure.lost.trim() === '') throw invalidInput('failure.lost', 'is empty', 'Say what was left out and needed.')
  const { category, taskType, regime } = failure
  const written = write === undefined ? undefined : firstSentences(await write(guidelinePrompt(failure)))
  const text = written === undefined || written === '' ? ruleOf(failure.lost) : written
  return { id: newId(), category, taskType, regime, text, createdMs: nowMs, triggerCount: 0, preventedFailures: 0 }
}

/** The prompt for whoever writes a guideline. */
export function guidelinePrompt({
  category,
  taskType,
  regime,
  originalTokens,
  compressedTokens,
  lost,
  impact,
}: CompressionFailure): string {
  return [
    `A context was compressed from ${originalTokens} to ${compressedTokens} tokens, and the step failed; with the full context it would not have.`,
    `Task: ${taskType}. Regime: ${regime}. Category of what was compressed: ${category}.`,
    `What was lost: ${lost.slice(0, 2000)}`,
    `What came of it: ${impact.slice(0, 1000)}`,
    'Write a guideline of one or two sentences for compressing such context. Put phrases that must be kept in double quotes, and name the kinds of facts to keep (figures, names, questions, decisions, reasons).',
  ].join('\n')
}

/** Counts of guidelines after a compile or a verdict: applied ones rise by one, and so do those that prevented a failure. */
export function countGuidelines(
  guidelines: readonly Guideline[],
  { applied = [], prevented = [] }: { readonly applied?: readonly string[]; readonly prevented?: readonly string[] },
): readonly Guideline[] {
  return guidelines.map((one) => ({
    ...one,
    triggerCount: one.triggerCount + (applied.includes(one.id) ? 1 : 0),
    preventedFailures: one.preventedFailures + (prevented.includes(one.id) ? 1 : 0),
  }))
}

const longestText = 400

function firstSentences(text: string): string {
  const sentences = text
    .trim()
    .slice(0, longestText * 2)
    .split(/(?<=[.!?])\s+/)
  return sentences.slice(0, 2).join(' ').slice(0, longestText)
}

/** Without a model: the kinds of facts that were lost, and the phrase itself. */
function ruleOf(lost: string): string {
  const kinds = [
    ...(/\p{N}/u.test(lost) ? ['figures'] : []),
    ...(/\S\s+\p{Lu}\p{L}/u.test(lost) ? ['names'] : []),
    ...(/\b(?:decided|agreed|will)\b/i.test(lost) ? ['decisions'] : []),
  ]
  const phrase = lost.trim().replaceAll('"', "'").split(/\s+/).slice(0, 6).join(' ')
  const named = kinds.length === 0 ? '' : ` Keep ${kinds.join(' and ')}.`
  return `Keep what says "${phrase}".${named}`
}
