import { classifierFidelity, classifierLatency, trainedClassifier } from './classifier-measures.ts'
import { markdownTable } from './markdown-table.ts'
import { openQuestions, talks } from './prose-cases.ts'
import { percentage } from './share-text.ts'

/*
 * A token classifier that is run through ONNX: what it takes for a text, and what still stands where words go by what it says, beside the
 * built-in model. It is trained on every other question of NQ-open, and measured on those in between and on LoCoMo, of which it has seen nothing.
 *
 *   npm run -s bench -- classifier
 */

const questions = openQuestions()
const classifier = await trainedClassifier(questions.filter((_, at) => at % 2 === 0))
const sets = [
  ['nq-open', questions.filter((_, at) => at % 2 === 1)],
  ['locomo', talks()],
] as const

const latencies = []
for (const [set, cases] of sets) {
  const texts = [...new Set(cases.map(({ text }) => text))].slice(0, 300)
  const { p50, p95, medianWords } = await classifierLatency(classifier, texts)
  latencies.push({
    set,
    'texts': String(texts.length),
    'words, median': String(medianWords),
    'p50, ms': p50.toFixed(2),
    'p95, ms': p95.toFixed(2),
  })
}
console.log(`${markdownTable(latencies)}\n`)

const rows = []
for (const [set, cases] of sets)
  for (const { keepRatio, byModel, builtIn } of await classifierFidelity(
    classifier,
    cases,
    [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
  ))
    rows.push({
      set,
      'aimed at': percentage(keepRatio),
      'removed': percentage(byModel.removed),
      'answers': percentage(byModel.answers),
      'beside': percentage(byModel.context),
      'built in: removed': percentage(builtIn.removed),
      'built in: answers': percentage(builtIn.answers),
      'built in: beside': percentage(builtIn.context),
    })
console.log(markdownTable(rows))
