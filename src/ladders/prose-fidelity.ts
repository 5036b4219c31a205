/** Of `1 - alpha * removed ** beta`: how much of what was asked for is left where a share of a text is taken away. */
export interface ProseCurve {
  readonly alpha: number
  readonly beta: number
}

/** Curves of one kind of prose: where words are left out, and where sentences and words are. */
export interface ProseCurves {
  readonly words: ProseCurve
  readonly sentences: ProseCurve
}

/**
 * Fitted to whether the answers to questions still stand, by the share that is taken away: of what is written, 1,315 answers in the passages that hold
 * them (NQ-open); of what is said, 297 in the sessions that do (LoCoMo). `npm run bench -- prose` fits them anew.
 */
const curves = {
  written: { words: { alpha: 2.1, beta: 2.24 }, sentences: { alpha: 0.77, beta: 1.8 } },
  said: { words: { alpha: 45.6, beta: 3.38 }, sentences: { alpha: 1.31, beta: 1.81 } },
} as const satisfies Readonly<Record<string, ProseCurves>>

/** The curves of a text: of what is said, where most of its lines begin with who says it, or where it is a message. */
export function proseCurves(text: string, isMessage: boolean): ProseCurves {
  if (isMessage) return curves.said
  const lines = text
    .slice(0, sample)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const said = lines.filter((line) => speech.test(line.slice(0, 120))).length
  return lines.length > 2 && said > 0.5 * lines.length ? curves.said : curves.written
}

const sample = 20_000
const speech = /^[ \t]{0,8}\p{Lu}[\p{L}\p{N}_.'-]{0,30}(?:[ \t][\p{L}\p{N}_.'()-]{1,30}){0,3}:[ \t]/u

/** What a curve says of a removed share, in [0, 1]. */
export function fidelityAt({ alpha, beta }: ProseCurve, removed: number): number {
  return Math.min(1, Math.max(0, 1 - alpha * Math.max(0, removed) ** beta))
}

/** The largest share that may be removed where so much must be left. */
export function mostRemoved({ alpha, beta }: ProseCurve, minFidelity: number): number {
  return Math.min(1, ((1 - minFidelity) / alpha) ** (1 / beta))
}
