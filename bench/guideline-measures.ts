import type { Guideline, Item, Policy } from '../src/core/index.ts'
import { careful, compile } from '../src/index.ts'
import { learnGuideline } from '../src/governor/index.ts'

/** Passages that are packed together, and what is asked of them, one after the other. */
export interface Reading {
  readonly passages: readonly string[]
  readonly questions: readonly ReadingQuestion[]
}

export interface ReadingQuestion {
  readonly question: string
  /** Index of the passage that answers it. */
  readonly passage: number
  /** The sentence of it that does. */
  readonly sentence: string
  /** Whether a text still has the answer. */
  isIn(text: string): boolean
}

export interface GuidelineMeasures {
  readonly questions: number
  /** Share of the questions whose answer stands in the request as it went out. */
  readonly answered: number
  /** Passages asked for by their handles, of those whose answer did not. */
  readonly recalls: number
  /** Tokens of the request as it went out, on average. */
  readonly packTokens: number
  /** Tokens of the largest request of each reading, what came back in it, on average. */
  readonly peakTokens: number
}

export interface ReadingSetting {
  readonly taskClass: string
  readonly guidelines: readonly Guideline[]
  /** Share of each passage that is aimed at; everything stands whole where absent. */
  readonly keepRatio?: number
}

const regime = 'reading'

/** What a reader of packed passages still finds, and what the largest request costs with what must be asked for again: nothing is missing in the end. */
export function readingMeasures(readings: readonly Reading[], setting: ReadingSetting): GuidelineMeasures {
  let [questions, answered, recalls, packs, peaks] = [0, 0, 0, 0, 0]
  for (const reading of readings) {
    const { tokens, shown, wholeTokens } = packedReading(reading, setting)
    let back = 0
    const asked = new Set<number>()
    for (const { passage, isIn } of reading.questions) {
      questions += 1
      if (isIn(shown[passage] ?? '')) answered += 1
      else if (!asked.has(passage)) {
        asked.add(passage)
        back += wholeTokens[passage] ?? 0
      }
    }
    recalls += asked.size
    packs += tokens
    peaks += tokens + back
  }
  const size = Math.max(1, readings.length)
  return {
    questions,
    answered: answered / Math.max(1, questions),
    recalls,
    packTokens: packs / size,
    peakTokens: peaks / size,
  }
}

interface PackedReading {
  readonly tokens: number
  /** What stands of each passage. */
  readonly shown: readonly string[]
  /** What each takes as it came. */
  readonly wholeTokens: readonly number[]
}

function packedReading({ passages }: Reading, { taskClass, guidelines, keepRatio }: ReadingSetting): PackedReading {
  const items = passages.map((text, at): Item => ({
    id: `p${at}`,
    section: 'evidence',
    kind: 'evidence',
    text,
    provenance: { sourceId: `p${at}` },
  }))
  const compression =
    keepRatio === undefined ? {} : { compression: { above: 0, minFidelity: 0, keepRatio, guidelines } }
  const policy: Policy = { ...careful, id: 'reading', version: '1.0.0', ...compression }
  const situation = { taskClass, regime }
  const { pack, manifest } = compile({
    items,
    policy,
    situation,
    budget: { windowTokens: 200_000 },
    frame: { request: 'Answer.' },
  })
  const texts = new Map(pack?.entries.map(({ itemId, text }) => [itemId, text]))
  const before = new Map(manifest.decisions.map(({ itemId, originalTokens }) => [itemId, originalTokens]))
  return {
    tokens: pack?.tokens ?? 0,
    shown: items.map(({ id }) => texts.get(id) ?? ''),
    wholeTokens: items.map(({ id }) => before.get(id) ?? 0),
  }
}

/** Guidelines from what was lost in readings, at most so many: each a failure that the whole would have avoided. */
export async function learnFrom(
  readings: readonly Reading[],
  setting: ReadingSetting,
  most: number,
): Promise<readonly Guideline[]> {
  const learnt: Guideline[] = []
  for (const reading of readings) {
    const { shown, tokens } = packedReading(reading, setting)
    for (const { question, passage, sentence, isIn } of reading.questions) {
      if (learnt.length === most) return learnt
      if (isIn(shown[passage] ?? '')) continue
      const key = { category: 'evidence', taskType: setting.taskClass, regime, avoidedByFull: true }
      const told = { originalTokens: tokens, compressedTokens: tokens, lost: sentence, impact: question }
      const guideline = await learnGuideline({ ...key, ...told }, { newId: () => `g${learnt.length}`, nowMs: 0 })
      if (guideline !== undefined) learnt.push(guideline)
    }
  }
  return learnt
}
