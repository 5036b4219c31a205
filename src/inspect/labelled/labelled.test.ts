import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { heuristicTokenizer } from '../../tokens/index.ts'
import { bootstrapMean } from './bootstrap.ts'
import { compareEvaluations } from './compare-evaluations.ts'
import { askedQuestions, questionsOf } from './evaluate-labelled.ts'
import { joinLabelled } from './join-labelled.ts'
import {
  abstracts,
  claims,
  lines,
  meeting,
  passageQuestions,
  passages,
  scenario,
  scenarioQuestions,
  talk,
  talkQuestions,
  tasks,
  serverTools,
  toolList,
  toolQueries,
  toolSteps,
  toolTasks,
  toolTurns,
} from './labelled.fixture.ts'
import { keptEvidence } from './kept-evidence.ts'
import { labelledReport } from './labelled-report.ts'
import type { LabelledSet } from './labelled-set.ts'
import { naiveNames } from './naive-packs.ts'
import { rankingFigures } from './ranking-figures.ts'
import { readLabelled } from './read-labelled.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-labelled-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fail = (error: Error): never => {
  throw error
}

async function setsOf(
  files: Readonly<Record<string, readonly unknown[] | string>>,
  onInvalid = fail as (error: Error) => void,
) {
  const read = []
  for (const [name, records] of Object.entries(files)) {
    const file = join(folder, name)
    writeFileSync(file, typeof records === 'string' ? records : lines(...records))
    read.push(await readLabelled(file, { onInvalid }))
  }
  return joinLabelled(read, onInvalid)
}

const errorOf = async (files: Parameters<typeof setsOf>[0]): Promise<string> => {
  try {
    await setsOf(files)
  } catch (error) {
    return isPrehendError(error) ? error.message.replace(`${folder}/`, '') : String(error)
  }
  return 'none'
}

const options = {
  policy: { ...careful, rank: { ...careful.rank, scorer: 'request' } } as const,
  count: (text: string) => heuristicTokenizer.count(text),
  budgets: [500, 4000],
}

const reportOf = (set: LabelledSet) =>
  labelledReport(
    set,
    set.groups.flatMap((group) => Array.from(askedQuestions(group, set.kind, options))),
    options,
  )

describe('labelled data', () => {
  it.each([
    ['meetings, whose questions stand with them', { 'm.jsonl': [meeting] }, 'meeting', [30, 31, 32]],
    ['conversations', { 'c.jsonl': [talk], 'q.jsonl': talkQuestions }, 'conversation questions', [17]],
    [
      'questions before what they are about',
      { 'q.jsonl': talkQuestions, 'c.jsonl': [talk] },
      'conversation questions',
      [17],
    ],
    ['scenarios', { 's.jsonl': [scenario], 'q.jsonl': scenarioQuestions }, 'scenario questions', [5]],
    ['passages', { 'p.jsonl': passages, 'q.jsonl': passageQuestions }, 'answers in passages', [12]],
    ['claims', { 'a.jsonl': abstracts, 'c.jsonl': claims }, 'claims', [7]],
    ['tasks', { 'p.jsonl': passages, 't.jsonl': tasks }, 'tasks with documents', [12]],
    ['tasks with tools', { 'f.jsonl': toolList, 't.jsonl': toolTasks }, 'tasks with tools', [41]],
    ['turns with tools', { 'f.jsonl': toolList, 't.jsonl': toolTurns }, 'turns with tools', [41]],
    ['steps with tools', { 'f.jsonl': serverTools, 't.jsonl': toolSteps }, 'steps with tools', [1]],
    ['queries for tools', { 'f.jsonl': toolList, 't.jsonl': toolQueries }, 'claims', [41]],
  ])('is told by its shape: %s', async (_, files, shape, evidence) => {
    const sets = await setsOf(files)
    expect(sets).toHaveLength(1)
    expect(sets[0]).toMatchObject({ shape })
    expect(sets[0]?.groups[0]?.questions[0]?.evidence).toEqual(evidence)
  })

  it('several kinds at once are several sets, each with what its questions are about', async () => {
    const sets = await setsOf({
      'm.jsonl': [meeting],
      'a.jsonl': abstracts,
      'p.jsonl': passages,
      'c.jsonl': claims,
      't.jsonl': tasks,
    })
    expect(sets.map(({ shape, groups }) => [shape, groups[0]?.passages.length])).toEqual([
      ['meeting', 60],
      ['claims', 20],
      ['tasks with documents', 30],
    ])
  })

  it('tools are known by their names, each once, and what is shown of them is an offer of them', async () => {
    const [set] = await setsOf({ 'f.jsonl': toolList, 't.jsonl': [...toolTasks, ...toolTasks] })
    expect([set?.kind, set?.groups[0]?.passages.length]).toEqual(['tools', 60])
    const { methods, ranking, passageTokens } = reportOf(set!)
    const [ours] = methods
    expect(ours?.passages).toEqual([1, 1])
    expect(ours?.tokens[0]).toBeLessThanOrEqual(500)
    expect(passageTokens).toBeGreaterThan(1500)
    expect(ranking?.['R@1']).toBe(1)
  })

  it('a turn that calls nothing, and a step whose tool was used before, are counted and not asked', async () => {
    const [turns] = await setsOf({ 'f.jsonl': toolList, 't.jsonl': toolTurns })
    expect([turns?.leftOut, questionsOf(turns!)]).toEqual([{ 'without evidence': 1 }, 1])
    const [steps] = await setsOf({ 'f.jsonl': serverTools, 't.jsonl': toolSteps })
    expect([steps?.leftOut, questionsOf(steps!)]).toEqual([{ 'of tools used before': 1 }, 1])
    const { ranking, kind } = reportOf(steps!)
    expect([kind, ranking?.['R@1']]).toEqual(['tools', 1])
  })

  it('questions without evidence or answer are counted and not asked', async () => {
    const [set] = await setsOf({ 'c.jsonl': [talk], 'q.jsonl': talkQuestions })
    expect(set?.leftOut).toEqual({ 'without an answer': 1, 'without evidence': 1 })
    expect(questionsOf(set!)).toBe(2)
  })

  it('answers and sentences are quotes, where they stand in what is needed', async () => {
    const [shop] = await setsOf({ 's.jsonl': [scenario], 'q.jsonl': scenarioQuestions })
    expect(shop?.groups[0]?.questions[0]?.quotes).toEqual([{ at: 5, anyOf: ['7716'] }])
    const [claim] = await setsOf({ 'a.jsonl': abstracts, 'c.jsonl': claims })
    expect(claim?.groups[0]?.questions.map(({ quotes }) => quotes)).toEqual([
      [{ at: 7, anyOf: ['Ferries carry cars.'] }],
      [],
    ])
  })
})

describe('an error names file, line, field and remedy', () => {
  it.each([
    [
      'not JSON',
      { 'm.jsonl': `${JSON.stringify(meeting)}\n{` },
      /^m\.jsonl:2: the line is not JSON .*Every line holds one/,
    ],
    ['no known shape', { 'm.jsonl': '{"id":1}' }, /^m\.jsonl:1: has no known shape\. Give sessions/],
    ['no object', { 'm.jsonl': '[1]\n' }, /^m\.jsonl:1: is not an object/],
    [
      'no text',
      { 'm.jsonl': [{ ...meeting, turns: [{ speaker: '', text: 'a' }] }] },
      /^m\.jsonl:1 turns\[0\]\.speaker: is no text\. Give/,
    ],
    [
      'a span beyond the end',
      { 'm.jsonl': [{ ...meeting, queries: [{ id: 'q', query: 'a', spans: [[2, 99]] }] }] },
      /queries\[0\]\.spans\[0\]\[1\]: is no index from 0 to 59/,
    ],
    [
      'a span that runs backwards',
      { 'm.jsonl': [{ ...meeting, queries: [{ id: 'q', query: 'a', spans: [[3, 2]] }] }] },
      /spans\[0\]: ends before it begins/,
    ],
    [
      'a conversation that is not there',
      { 'q.jsonl': talkQuestions },
      /^q\.jsonl:1 evidence: names conversation talk-1, which no file given holds\. Name the file of its conversation, too/,
    ],
    [
      'a turn that is not there',
      { 'c.jsonl': [talk], 'q.jsonl': [{ ...talkQuestions[0], evidence: ['D9:9'] }] },
      /^q\.jsonl:1 evidence\[0\]: names D9:9, which is not there/,
    ],
    [
      'a document that is not there',
      { 'p.jsonl': passages, 'q.jsonl': [{ ...passageQuestions[0], gold: 'p99' }] },
      /^q\.jsonl:1 gold: names document p99/,
    ],
    [
      'a sentence that is not there',
      { 'a.jsonl': abstracts, 'c.jsonl': [{ ...claims[0], evidence: [{ doc: '7', sentences: [9] }] }] },
      /^c\.jsonl:1 evidence: names sentence 9 of 7/,
    ],
    [
      'two shapes in a file',
      { 'p.jsonl': [passages[0], passageQuestions[0]] },
      /^p\.jsonl:2: is one of answers in passages, and the lines before are documents/,
    ],
  ])('%s', async (_, files, message) => {
    expect(await errorOf(files as Parameters<typeof setsOf>[0])).toMatch(message)
  })

  it('whatever a line holds, it is read or told, and never more than that', async () => {
    const record = fc.constantFrom<Record<string, unknown>>(
      meeting,
      talk,
      talkQuestions[0]!,
      scenario,
      scenarioQuestions[0]!,
      passages[0]!,
      claims[0]!,
      tasks[0]!,
    )
    const broken = fc
      .tuple(
        record,
        fc.nat(),
        fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.constant([[1, 2, 3]]), fc.constant([{}])),
      )
      .map(([whole, at, value]) => {
        const names = Object.keys(whole)
        return { ...whole, [names[at % names.length] ?? '']: value }
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(broken, fc.jsonValue()), async (value) => {
        const told: Error[] = []
        await setsOf({ 'fuzz.jsonl': [value], 'p.jsonl': passages }, (error) => void told.push(error))
        expect(told.every((error) => isPrehendError(error) && error.message.includes('fuzz.jsonl:1'))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('what packs keep', () => {
  it('everything where there is room, what the question asks for where there is not; head and tail lack it', async () => {
    const [set] = await setsOf({ 'm.jsonl': [meeting] })
    const report = reportOf(set!)
    const kept = Object.fromEntries(report.methods.map(({ name, passages: shares }) => [name, shares]))
    expect(kept).toMatchObject({ prehend: [1, 1], oracle: [1, 1] })
    expect(kept['head']?.[0]).toBe(0)
    expect(kept['tail']?.[0]).toBe(0)
    expect(report.methods.map(({ name }) => name)).toEqual(['prehend', ...naiveNames])
  })

  it('no pack exceeds its budget, ours with everything that it says', async () => {
    for (const files of [{ 'm.jsonl': [meeting] }, { 'p.jsonl': passages, 'q.jsonl': passageQuestions }])
      for (const set of await setsOf(files))
        for (const { tokens } of reportOf(set).methods)
          for (const [at, budget] of options.budgets.entries()) expect(tokens[at]).toBeLessThanOrEqual(budget)
  })

  it('evidence that a pack shows in part is not kept, and a quote in it is', () => {
    const question = { id: 'q', text: 'a', evidence: [0, 1], quotes: [{ at: 0, anyOf: ['seven'] }] }
    const two = [
      { id: 'a', text: 'x'.repeat(90), found: { text: '' } },
      { id: 'b', text: 'y'.repeat(10), found: { text: '' } },
    ]
    const shown = { tokens: 5, isWhole: (at: number) => at === 1, hasQuote: () => true }
    const kept = keptEvidence(question, two, shown)
    expect(kept).toEqual({ passages: 0.5, characters: 0.1, all: 0, quotes: 1, tokens: 5 })
  })

  it('a document that does not fit is not kept, nor is one of which a pack shows another with the same words', async () => {
    const long = Array.from({ length: 120 }, (_, line) => `Line ${line} of the report.`).join('\n')
    const documents = [
      { id: 'd0', title: 'Report', text: `The ferry to Elba leaves at seven.\n${long}` },
      { id: 'd1', title: 'Report', text: 'The ferry to Elba leaves at seven.' },
    ]
    const questions = [{ id: 'q', question: 'When does the ferry to Elba leave?', answers: ['at seven'], gold: 'd0' }]
    const [set] = await setsOf({ 'd.jsonl': documents, 'q.jsonl': questions })
    const [ours] = reportOf(set!).methods
    expect(ours).toMatchObject({ passages: [0, 1], quotes: [0, 1] })
  })

  it('of documents it says where they rank; figures that come with the data stand beside, and what they are of', async () => {
    const [set] = await setsOf({ 'p.jsonl': passages, 'q.jsonl': passageQuestions })
    const report = reportOf(set!)
    expect(report.ranking).toMatchObject({ 'R@1': 1, 'nDCG@10': 1 })
    expect(report.published.map(({ name }) => name)).toEqual(['NQ-open: BM25'])
  })

  it('counts the halves by conversations', async () => {
    const other = { ...meeting, id: 'meeting-2', queries: [{ id: 'q2', query: 'Is there a plane?', spans: [[0, 59]] }] }
    const [set] = await setsOf({ 'm.jsonl': [meeting, other] })
    const [ours] = reportOf(set!).methods
    expect(ours?.halves?.[0]?.[0]).toBe(1)
    expect(ours?.halves?.[1]?.[0]).toBeLessThan(0.9)
    const [alone] = await setsOf({ 'm.jsonl': [meeting] })
    expect(reportOf(alone!).methods[0]?.halves).toBeUndefined()
  })

  it('ranking figures by hand', () => {
    const figures = rankingFigures([5, 3, 9], new Set([3, 8]))
    expect(figures['R@1']).toBe(0)
    expect(figures['R@10']).toBe(0.5)
    expect(figures['nDCG@10']).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 12)
  })
})

describe('comparing two evaluations', () => {
  const report = (name: string, shares: readonly number[]) => ({
    name,
    shape: 'meeting',
    kind: 'conversation' as const,
    budgets: [1000],
    perQuestion: shares.map((share, at) => ({
      id: `q${at}`,
      group: `g${at % 10}`,
      passages: [share],
      characters: [share],
    })),
  })

  it('tells a clear gain from chance, and is the same every time', () => {
    const before = report(
      'a',
      Array.from({ length: 100 }, (_, at) => (at % 5) / 10),
    )
    const better = report(
      'a',
      Array.from({ length: 100 }, (_, at) => (at % 5) / 10 + 0.2 + (at % 3) / 100),
    )
    const noisy = report(
      'a',
      Array.from({ length: 100 }, (_, at) => (at % 5) / 10 + (at % 2 === 0 ? 0.1 : -0.1)),
    )
    const [gain] = compareEvaluations([before], [better])
    expect(gain).toMatchObject({ isClear: true, questions: 100, budget: 1000 })
    expect(gain?.change.low).toBeGreaterThan(0.19)
    expect(gain?.change.high).toBeLessThan(0.23)
    expect(compareEvaluations([before], [noisy])[0]?.isClear).toBe(false)
    expect(compareEvaluations([before], [better])[0]).toEqual(gain)
  })

  it('only questions that both have count, and nothing in common is nothing', () => {
    const [change] = compareEvaluations([report('a', [0, 0, 0])], [report('b', [1, 1])])
    expect(change).toMatchObject({ questions: 2, before: 0, after: 1 })
    expect(compareEvaluations([report('a', [1])], [{ ...report('a', [1]), budgets: [2000] }])).toEqual([])
  })

  it('draws whole clusters: what is alike does not count as much as what is not', () => {
    const width = (clusters: readonly (readonly number[])[]) => {
      const { low = 0, high = 0 } = bootstrapMean(clusters) ?? {}
      return high - low
    }
    const values = Array.from({ length: 60 }, (_, at) => Math.floor(at / 10) % 2)
    const together = Array.from({ length: 6 }, (_, at) => values.slice(at * 10, at * 10 + 10))
    expect(width(together)).toBeGreaterThan(2 * width(values.map((value) => [value])))
    expect(bootstrapMean([])).toBeUndefined()
  })
})
