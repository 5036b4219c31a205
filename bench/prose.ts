import { distil, shortenWords } from '../src/ladders/index.ts'
import { fidelityCurve } from '../src/inspect/index.ts'
import { markdownTable } from './markdown-table.ts'
import { openQuestions, talks } from './prose-cases.ts'
import { measured } from './prose-measures.ts'
import type { Shorten } from './prose-measures.ts'
import { percentage } from './share-text.ts'

/*
 * What is left of what questions ask for where prose is shortened, by the share that is taken away: whether the answer still stands, and of the
 * words of the question those that stood beside it. The curve 1 - alpha r^beta through it, and its knee. Answers of NQ-open in the passage that holds them,
 * those of LoCoMo in the session of the conversation that does.
 *
 *   npm run -s bench -- prose
 */

const ways: Readonly<Record<string, Shorten>> = {
  'words': (text, keepRatio) => shortenWords(text, { keepRatio }),
  'sentences': (text, keepRatio) => distil(text, { keepRatio })?.text,
  'sentences and words': (text, keepRatio) => {
    const shorter = distil(text, { keepRatio: Math.min(0.95, keepRatio / 0.85) })?.text ?? text
    return shortenWords(shorter, { keepRatio: (keepRatio * text.length) / shorter.length }) ?? shorter
  },
  'the beginning': (text, keepRatio) => text.slice(0, Math.round(keepRatio * text.length)),
}

const ratios = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]

for (const [set, cases] of [
  ['nq-open', openQuestions()],
  ['locomo', talks()],
] as const) {
  console.log(`\n${set}: ${cases.length} questions\n`)
  for (const [way, shorten] of Object.entries(ways)) {
    const points = ratios.map((ratio) => measured(cases, shorten, ratio))
    const distinct = points.filter(({ removed }, at) => at === 0 || removed > (points[at - 1]?.removed ?? 0) + 0.005)
    console.log(
      markdownTable(
        distinct.map(({ removed, answers, context }) => ({
          way,
          'removed': percentage(removed),
          'answers': percentage(answers),
          'words of the question beside them': percentage(context),
        })),
      ),
    )
    const { alpha, beta, knee } = fidelityCurve(
      distinct.map(({ removed, answers }) => ({ removed, needed: 1000, kept: 1000 * answers, claimed: 1 })),
    )
    console.log(
      `alpha ${alpha?.toFixed(2) ?? 'n/a'}, beta ${beta?.toFixed(2) ?? 'n/a'}, knee ${knee === null ? 'n/a' : percentage(knee)}\n`,
    )
  }
}
