import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../run-process.ts'
import { replyCases } from './cases.ts'
import type { Expected, ListCase } from './cases.ts'
import type { SdkGroup, Target } from './matrix.ts'
import type { Servers } from './servers.ts'
import { whyUnread } from './unread.ts'

const readers = join(import.meta.dirname, 'readers')
export const readerFiles = readdirSync(readers).map((name) => join(readers, name))

interface Question {
  /** By this the answer, and the request at the provider, are found. */
  readonly id: string
  readonly name: string
  readonly kind: 'reply' | ListCase
  readonly prompt: string
  readonly isStreamed: boolean
  readonly offersTool: boolean
  readonly thinks: boolean
  readonly isLong: boolean
  readonly maxTokens: number
}

/** What an SDK made of a reply; members that it does not tell are absent. */
interface Answer {
  readonly text?: string
  readonly thinking?: string
  readonly calls?: Expected['calls']
  readonly finish?: string
  readonly input?: number
  readonly output?: number
  readonly cached?: number
  readonly ids?: readonly string[]
  readonly tokens?: number
  readonly error?: { readonly name: string; readonly message: string; readonly status?: number }
}

export interface Asked {
  readonly target: Target
  readonly replies: number
  /** What the SDK did not read as it was written, one line each. */
  readonly problems: readonly string[]
}

const usualMaxTokens = 2000
const long = 'Files of this project are listed in the table below, with the day of their last change. '.repeat(200)

/** Asks every target of a group about every case, whole and streamed, and compares what its SDK read with what was written. */
export async function ask(group: SdkGroup, folder: string, servers: Servers): Promise<readonly Asked[]> {
  const asked = group.targets.map((target) => ({ target, cases: questionsOf(target, group) }))
  const task = {
    reader: group.reader,
    asked: asked.map(({ target, cases }) => ({
      target: { ...target, url: target.behind === undefined ? servers.provider.url : servers.gateways[target.behind] },
      questions: cases.map(({ question }) => question),
    })),
  }
  const env = { PATH: '/usr/bin:/bin', HOME: folder, ...quiet }
  const program = join(folder, 'answering.mjs')
  const file = join(folder, 'task.json')
  writeFileSync(file, JSON.stringify(task))
  const { code, output } = await runProcess(process.execPath, [program, file], { cwd: folder, timeoutMs: 120_000, env })
  if (code !== 0) throw new Error(`the reader of ${group.name} ended with ${code}:\n${output.slice(-1500)}`)
  const answers = answersIn(output)
  return asked.map(({ target, cases }) => {
    const version = group.packages[target.sdk] ?? ''
    const problems = cases.flatMap(({ question, expected }) => {
      const answer = answers.get(question.id)
      const found = answer === undefined ? ['no answer'] : problemsOf({ question, expected, target, servers }, answer)
      return judged(found, whyUnread(target, version, question.name)).map((problem) => `${question.name}: ${problem}`)
    })
    return { target, replies: cases.length, problems }
  })
}

/** What an SDK is known not to read it is not to read, so that nobody goes on saying that it does not. */
function judged(problems: readonly string[], known: string | undefined): readonly string[] {
  if (known === undefined) return problems
  return problems.length > 0 ? [] : [`it is read, though ${known}; say so no longer`]
}

const quiet = { NO_COLOR: '1', NODE_NO_WARNINGS: '1', LANGSMITH_TRACING: 'false' }

interface AskedCase {
  readonly question: Question
  readonly expected: Expected
}

function questionsOf(target: Target, group: SdkGroup): readonly AskedCase[] {
  const { sdk, api, behind = 'itself' } = target
  const idOf = (name: string): string => `[${group.name} ${sdk} ${api} ${behind} ${name}]`
  const replies = replyCases.flatMap(({ forms = ['whole', 'streamed'], ...one }) =>
    forms.map((form): AskedCase => {
      const name = `${one.name}, ${form}`
      const id = idOf(name)
      const { offersTool = false, thinks = false, isLong = false, maxTokens = usualMaxTokens, expected } = one
      const prompt = `[${one.name}] ${id} ${isLong ? long : ''}`
      const how = { isStreamed: form === 'streamed', offersTool, thinks, isLong, maxTokens }
      return { question: { id, name, kind: 'reply', prompt, ...how }, expected }
    }),
  )
  const plain = { isStreamed: false, offersTool: false, thinks: false, isLong: false, maxTokens: usualMaxTokens }
  const lists = (target.lists ?? []).map((kind): AskedCase => {
    const id = idOf(kind)
    return { question: { id, name: kind, kind, prompt: id, ...plain }, expected: {} }
  })
  return [...replies, ...lists]
}

function answersIn(output: string): ReadonlyMap<string, Answer> {
  const lines = output.split('\n').filter((line) => line.startsWith('{"id":'))
  return new Map(
    lines.map((line) => {
      const { id, answer } = JSON.parse(line) as { readonly id: string; readonly answer: Answer }
      return [id, answer]
    }),
  )
}

interface Compared extends AskedCase {
  readonly target: Target
  readonly servers: Servers
}

function problemsOf({ question, expected, target, servers }: Compared, answer: Answer): readonly string[] {
  if (expected.error !== undefined) return errorProblems(expected.error, answer)
  if (answer.error !== undefined) return [`${answer.error.name}: ${answer.error.message}`]
  if (question.kind === 'count') return differs('tokens', (answer.tokens ?? 0) > 0, true)
  if (question.kind !== 'reply') return differs('models', (answer.ids ?? []).length > 0, true)
  const usage = servers.provider.requests.findLast(({ body }) => body.includes(question.id))?.usage
  return [
    ...differs('text', answer.text, expected.text),
    ...differs('thinking', answer.thinking, target.showsThinking === true ? expected.thinking : undefined),
    ...differs('calls', answer.calls, expected.calls),
    ...differs('finish', answer.finish, expected.finish),
    ...differs('input tokens', answer.input, usage?.inputTokens),
    ...differs('output tokens', answer.output, usage?.outputTokens),
    ...differs('cached tokens', answer.cached, usage && (usage.cacheReadTokens ?? 0)),
  ]
}

function errorProblems(expected: NonNullable<Expected['error']>, { error, ...answer }: Answer): readonly string[] {
  if (error === undefined) return [`an answer instead of an error: ${JSON.stringify(answer).slice(0, 200)}`]
  return [
    ...(error.message.includes(expected.words)
      ? []
      : [`${error.name} does not say '${expected.words}': ${error.message}`]),
    ...(error.status === undefined ? [] : differs('status', error.status, expected.status)),
  ]
}

/** What the SDK does not tell, or nobody expects, is not compared. */
function differs(what: string, read: unknown, written: unknown): readonly string[] {
  if (read == null || written === undefined || JSON.stringify(read) === JSON.stringify(written)) return []
  return [`${what}: read ${JSON.stringify(read)}, written ${JSON.stringify(written)}`]
}
