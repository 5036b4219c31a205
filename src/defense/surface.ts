export const isolations = ['messages', 'headers', 'xml', 'canonical', 'bounded', 'quarantined'] as const
/** How an untrusted text stands where it is read. */
export type Isolation = (typeof isolations)[number]

/**
 * How well each keeps attacks from passing for structure: the lower end of a 95% interval for the share of attacks that did not fool a reader who looks at the beginnings of lines only, over the project's own red-team texts (`npm run bench -- injection`). Structure is all that can be judged
 * without a model: how often a model obeys data nevertheless is not in these figures.
 */
export const isolationStrength: Readonly<Record<Isolation, number>> = {
  messages: 0.03,
  headers: 0.11,
  xml: 0.47,
  canonical: 0.11,
  bounded: 0.97,
  quarantined: 0.97,
}

export interface ExposedText {
  readonly tokens: number
  readonly isolation: Isolation
}

/** The sum over untrusted texts of their share of all tokens, times one minus how strongly they are isolated; in [0, 1]. */
export function surfaceOf(
  exposed: readonly ExposedText[],
  totalTokens: number,
  strength: Readonly<Record<Isolation, number>> = isolationStrength,
): number {
  if (totalTokens <= 0) return 0
  const open = exposed.reduce((sum, { tokens, isolation }) => sum + tokens * (1 - strength[isolation]), 0)
  return Math.min(1, open / totalTokens)
}
