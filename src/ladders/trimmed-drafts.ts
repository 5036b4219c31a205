import { chooseWithin } from './choose-lines.ts'
import type { LadderOptions } from './ladder-options.ts'
import { foldMarker } from './marker.ts'
import type { Draft } from './renditions.ts'
import { charactersOf, lengthOf } from './text-lines.ts'
import type { TextLines } from './text-lines.ts'
import { trimLines } from './trim-lines.ts'

/** Shares of the original that the trimmed rungs aim at, dearest first. */
export const trimShares = [0.5, 0.2] as const

/** A fold must save more than its marker: each is something that a reader has to step over. */
const markerWeight = 1.25

export interface TrimInput {
  readonly text: TextLines
  /** Worth of each line; lines of 1 and more stay. */
  readonly values: Float32Array
  /** Tokens of the original. */
  readonly tokens: number
  readonly context: LadderOptions
  /** A line put before the extract that names it as one and shows the call that brings the original back. */
  readonly label?: string
}

/** The original with its least needed lines folded away, at two depths. */
export function trimmedDrafts({ text, values, tokens, context, label }: TrimInput): readonly Draft[] {
  const { handle } = context
  const perLine = estimatedTokens(text, tokens)
  const markerTokens = markerWeight * context.count(`${foldMarker({ first: 100, last: 200, handle }, true)}\n`)
  const spread = towardsEnds(values)
  return trimShares.flatMap((share) => {
    const keep = chooseWithin({ values: spread, tokens: perLine, markerTokens }, share * tokens)
    const { text: shown, folds, says } = trimLines({ text, keep, handle, named: label !== undefined })
    if (folds.length === 0 || !says) return []
    const labelled = label === undefined ? shown : `${label}\n${shown}`
    return [{ rung: 'trimmed' as const, text: labelled, fidelity: keptWorth(values, keep), handle }]
  })
}

/** Heads and tails are worth up to a third more than the middle; equal lines would else be kept or folded all together. */
function towardsEnds(values: Float32Array): Float32Array {
  const middle = Math.max(1, (values.length - 1) / 2)
  return values.map((value, index) =>
    value >= 1 ? value : value * (0.75 + (0.25 * Math.abs(index - middle)) / middle),
  )
}

/** Tokens of each line, in proportion to its length: one count instead of thousands. */
function estimatedTokens(text: TextLines, tokens: number): Float32Array {
  const { lines, joined } = text
  const perCharacter = lines.length === 0 ? 0 : tokens / charactersOf(text)
  const estimated = new Float32Array(lines.length)
  for (let at = 0; at < lines.length; at += 1)
    estimated[at] = (lengthOf(text, at) + (joined[at] === 1 ? 0 : 1)) * perCharacter
  return estimated
}

/** Share of the lines' worth that is still shown, below 1. */
function keptWorth(values: Float32Array, keep: Uint8Array): number {
  let kept = 0
  let all = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    all += value
    if (keep[index] === 1) kept += value
  }
  return all === 0 ? 0.2 : Math.min(0.99, kept / all)
}
