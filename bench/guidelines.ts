import { propositionsOf } from '../src/ladders/index.ts'
import { learnFrom, readingMeasures } from './guideline-measures.ts'
import type { Reading } from './guideline-measures.ts'
import { markdownTable } from './markdown-table.ts'
import { openQuestions, plain, talks } from './prose-cases.ts'
import type { ProseCase } from './prose-cases.ts'
import { percentage } from './share-text.ts'

/*
 * What guidelines do to peak tokens and to success: learnt from the failures of one half of the questions, held against the other half. Passages are read
 * eight at a time; an answer that was lost is got back by its handle, so that a reading ends with nothing missing.
 *
 *   npm run -s bench -- guidelines
 */

const together = 8
const mostLearnt = 40
const keepRatios = [0.75, 0.5]

function readingsOf(cases: readonly ProseCase[]): readonly Reading[] {
  return Array.from({ length: Math.floor(cases.length / together) }, (_, at) => {
    const part = cases.slice(at * together, (at + 1) * together)
    const passages = [...new Set(part.map(({ text }) => text))]
    const questions = part.map(({ question, text, answers }) => {
      const isIn = (shown: string): boolean => answers.some((answer) => plain(shown).includes(plain(answer)))
      return {
        question,
        passage: passages.indexOf(text),
        sentence: propositionsOf(text).find((one) => isIn(one.text))?.text ?? '',
        isIn,
      }
    })
    return { passages, questions: questions.filter(({ sentence }) => sentence !== '') }
  })
}

const rows: Readonly<Record<string, string>>[] = []
for (const [set, cases] of [
  ['nq-open', openQuestions()],
  ['locomo', talks()],
] as const) {
  const readings = readingsOf(cases)
  const [learning, held] = [readings.filter((_, at) => at % 2 === 0), readings.filter((_, at) => at % 2 === 1)]
  const taskClass = set
  const whole = readingMeasures(held, { taskClass, guidelines: [] })
  for (const keepRatio of keepRatios) {
    const plainly = { taskClass, keepRatio, guidelines: [] }
    const guidelines = await learnFrom(learning, plainly, mostLearnt)
    for (const [name, measured] of [
      ['none', readingMeasures(held, plainly)],
      [`${guidelines.length} learnt`, readingMeasures(held, { ...plainly, guidelines })],
    ] as const)
      rows.push({
        set,
        'aimed at': percentage(keepRatio),
        'guidelines': name,
        'questions': String(measured.questions),
        'answers stand': percentage(measured.answered),
        'asked for again': String(measured.recalls),
        'sent': measured.packTokens.toFixed(0),
        'peak tokens': measured.peakTokens.toFixed(0),
        'of the whole': percentage(measured.peakTokens / whole.peakTokens),
      })
  }
}
console.log(markdownTable(rows))
