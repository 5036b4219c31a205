import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import { outputMeasure } from '../outputs/output-report.ts'
import { outputsOf, readOutputs } from '../outputs/recorded-output.ts'
import { readTrace } from '../read-trace.ts'
import { askedQuestions } from './evaluate-labelled.ts'
import { joinLabelled } from './join-labelled.ts'
import { labelledReport } from './labelled-report.ts'
import { readLabelled } from './read-labelled.ts'

const folder = new URL('../../../../shared/data/', import.meta.url).pathname
const { count } = tokenizerFor('gpt-4.1')
const onInvalid = (error: Error): never => {
  throw error
}

/** Of every so many questions of the first groups, at 4,000 tokens. */
async function reportOf(files: readonly string[], { groups, every }: { groups: number; every: number }) {
  const read = []
  for (const file of files) read.push(await readLabelled(folder + file, { onInvalid }))
  const [set] = joinLabelled(read, onInvalid)
  const few = set!.groups
    .slice(0, groups)
    .map((group) => ({ ...group, questions: group.questions.filter((_, at) => at % every === 0) }))
  const policy = { ...careful, rank: { ...careful.rank, scorer: 'request' } } as const
  const options = { policy, count, budgets: [4000] }
  return labelledReport(
    set!,
    few.flatMap((group) => Array.from(askedQuestions(group, set!.kind, options))),
    options,
  )
}

describe.runIf(existsSync(folder))('real labelled data, 4,000 tokens: no half below its floor, and above BM25', () => {
  it.each([
    ['meetings', ['qmsum/dev.jsonl'], { groups: 8, every: 1 }, 0.7],
    ['conversations', ['locomo/conversations.dev.jsonl', 'locomo/qa.dev.jsonl'], { groups: 6, every: 12 }, 0.86],
    [
      'scenarios',
      ['bfcl-memory/conversations.jsonl', 'bfcl-memory/questions.dev.jsonl'],
      { groups: 3, every: 2 },
      0.99,
    ],
    ['passages', ['nq-open/passages.jsonl', 'nq-open/questions.dev.jsonl'], { groups: 1, every: 20 }, 0.93],
    ['tasks', ['tau2-knowledge/docs.jsonl', 'tau2-knowledge/tasks.dev.jsonl'], { groups: 1, every: 2 }, 0.2],
  ])('%s', async (_, files, few, floor) => {
    const { methods } = await reportOf(files, few)
    const [ours, plain] = methods
    for (const half of ours!.halves!) expect(half[0]).toBeGreaterThan(floor)
    expect(plain).toMatchObject({ name: 'bm25' })
    expect(ours!.passages[0]).toBeGreaterThanOrEqual(plain!.passages[0]!)
    expect(ours!.tokens[0]).toBeLessThanOrEqual(4000)
  })
})

describe.runIf(existsSync(folder))('real outputs of tools', () => {
  const never = { id: 'never', score: () => ({ score: 0, reasons: [] }) }

  it('JSON in another form decodes to the very text, and loses no value', async () => {
    const measure = outputMeasure({ count, detector: never, threshold: 1 })
    for (const output of await readOutputs(`${folder}defi-api/defillama_responses.jsonl`, { onInvalid }))
      measure.add(output)
    let sessions = 0
    for await (const trace of readTrace(`${folder}tau-bench/airline.dev.jsonl`)) {
      if ((sessions += 1) > 40) break
      for (const output of outputsOf(trace)) measure.add(output)
    }
    const { documents, exact, lost, tokens } = measure.report('all').structured
    expect(documents).toBeGreaterThan(150)
    expect({ exact, lost }).toEqual({ exact: documents, lost: 0 })
    expect(tokens).toBeLessThan(0.7)
  })
})
