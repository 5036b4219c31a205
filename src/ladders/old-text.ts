import type { LadderOptions } from './ladder-options.ts'
import { writeMarker } from './marker-grammar.ts'
import type { Draft } from './renditions.ts'
import { markOf } from './said-marks.ts'
import { saidPassages } from './said-passages.ts'

/**
 * What the model said long ago: its first sentence, those that decide, and its questions, word for word, under the handle of the whole. None where nothing
 * would go.
 */
export function oldTextDrafts(text: string, { handle, count }: LadderOptions): readonly Draft[] {
  const { sentences } = saidPassages(text)
  const kept = sentences.filter((sentence, at) => at === 0 || isQuestion(sentence) || markOf(sentence, 'assistant'))
  if (kept.length === 0 || (kept.length === sentences.length && kept.join(' ').length >= text.trim().length)) return []
  const shown = `${writeMarker('extract', { handle })}\n${kept.join('\n')}`
  return [{ rung: 'trimmed', text: shown, fidelity: Math.min(0.9, count(shown) / Math.max(1, count(text))), handle }]
}

function isQuestion(sentence: string): boolean {
  return /[?？]$/u.test(sentence)
}
