import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { careful, compile, evidence, sweepPositions } from '../src/index.ts'
import type { PackMessage, PayloadPolicy, SweptPosition } from '../src/index.ts'
import { markdownTable } from './markdown-table.ts'
import { extractiveReader, modelReader } from './position-readers.ts'
import type { Reader } from './position-readers.ts'

/*
 * Recall by position: the passage that answers a question ranks from best to worst among others, and a reader is asked. Questions and passages of NQ-open.
 * Without an address the reader is a program that reads every place alike, which is what a model is held against.
 *
 *   npm run -s bench -- positions
 *   READER_KEY=… npm run -s bench -- positions --url https://api.openai.com/v1 --model gpt-5-mini --questions 20
 */

interface Question {
  readonly question: string
  readonly answers: readonly string[]
  readonly gold: string
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string', default: '' },
    questions: { type: 'string', default: '40' },
    passages: { type: 'string', default: '20' },
    ranks: { type: 'string', default: '5' },
  },
})
const [most, others, ranks] = [Number(values.questions), Number(values.passages), Number(values.ranks)]

const rows = (file: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(new URL(`../../shared/data/nq-open/${file}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

const passages = new Map(rows('passages').map((row) => [String(row['id']), String(row['text'])]))
const questions = rows('questions.dev')
  .filter((row) => row['answer_in_gold'] === true)
  .slice(0, most) as unknown as readonly Question[]

function readerOf(question: string): Reader {
  const { url, model } = values
  if (url === undefined) return extractiveReader(question)
  return modelReader({ url, model, key: process.env['READER_KEY'] })
}

async function swept({ question, answers, gold }: Question, payload: PayloadPolicy): Promise<readonly SweptPosition[]> {
  const text = passages.get(gold) ?? ''
  const answer = answers.find((one) => text.includes(one))
  if (answer === undefined) return []
  const hay = [...passages].filter(([id]) => id !== gold).slice(0, others)
  const read = readerOf(question)
  return sweepPositions({
    compile,
    input: {
      items: hay.map(([id, passage]) => evidence(passage, id)),
      budget: { windowTokens: 100_000 },
      policy: { ...careful, payload },
      layout: 'payload',
      frame: { request: `${question}? Answer in a few words.` },
    },
    needle: { ...evidence(text, gold), id: 'needle' },
    ranks,
    read: (messages: readonly PackMessage[]) => read(messages),
    expected: answer,
  })
}

const placements: Readonly<Record<string, PayloadPolicy>> = {
  'interleaved': {},
  'best last': { placement: { evidence: 'best-last' } },
}

for (const [name, payload] of Object.entries(placements)) {
  const all: SweptPosition[] = []
  for (const question of questions) all.push(...(await swept(question, payload)))
  const table = [...Map.groupBy(all, ({ rank }) => rank)].map(([rank, found]) => ({
    'rank of the passage': String(rank),
    'depth': (found.reduce((sum, { depth = 0 }) => sum + depth, 0) / found.length).toFixed(2),
    'questions': String(found.length),
    'recalled, %': ((100 * found.filter(({ isRecalled }) => isRecalled).length) / found.length).toFixed(1),
  }))
  console.log(
    `${name}, read by ${values.url === undefined ? 'a program that reads every place alike' : values.model}\n`,
  )
  console.log(`${markdownTable(table)}\n`)
}
