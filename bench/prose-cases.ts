import { readFileSync } from 'node:fs'

/** A text that answers a question. */
export interface ProseCase {
  readonly text: string
  readonly question: string
  readonly answers: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

const rows = (file: string): readonly Row[] =>
  readFileSync(new URL(`../../shared/data/${file}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)

/** As answers are usually compared: small letters, no signs, no articles. */
export const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(?:a|an|the)\b/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()} `

/** Questions of NQ-open whose passage holds the answer. */
export function openQuestions(): readonly ProseCase[] {
  const passages = new Map(rows('nq-open/passages').map((row) => [String(row['id']), String(row['text'])]))
  return rows('nq-open/questions.dev').flatMap((row) => {
    const text = passages.get(String(row['gold'])) ?? ''
    return held({ text, question: String(row['question']), answers: row['answers'] as readonly string[] })
  })
}

interface Turn {
  readonly id: string
  readonly session: number
  readonly speaker: string
  readonly text: string
}

/** Questions of LoCoMo whose session of the conversation does. */
export function talks(): readonly ProseCase[] {
  const turns = new Map(
    rows('locomo/conversations.dev').map((row) => [String(row['id']), row['turns'] as readonly Turn[]]),
  )
  return rows('locomo/qa.dev').flatMap((row) => {
    const all = turns.get(String(row['conversation'] ?? row['conversation_id'] ?? row['conv'])) ?? []
    const [first] = row['evidence'] as readonly string[]
    const session = all.find(({ id }) => id === first)?.session
    const text = all
      .filter((turn) => turn.session === session)
      .map(({ speaker, text: said }) => `${speaker}: ${said}`)
      .join('\n')
    return held({ text, question: String(row['question']), answers: [String(row['answer'] ?? '')] })
  })
}

function held(one: ProseCase): readonly ProseCase[] {
  const answers = one.answers.filter((answer) => plain(answer).trim() !== '' && plain(one.text).includes(plain(answer)))
  return answers.length === 0 ? [] : [{ ...one, answers }]
}
