import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonOf } from '../install-python.ts'
import { runProcess } from '../run-process.ts'
import { replyCases } from './cases.ts'
import { judged, problemsOf } from './compare.ts'
import type { Answer, AskedCase } from './compare.ts'
import type { SdkGroup, Target } from './matrix.ts'
import type { Servers } from './servers.ts'
import { whyUnread } from './unread.ts'

const readers = join(import.meta.dirname, 'readers')
export const readerFiles = readdirSync(readers).map((name) => join(readers, name))

const pythonReaders = join(import.meta.dirname, 'python')
export const pythonReaderFiles = readdirSync(pythonReaders)
  .filter((name) => name.endsWith('.py'))
  .map((name) => join(pythonReaders, name))

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
  const file = join(folder, 'task.json')
  writeFileSync(file, JSON.stringify(task))
  const [program, script] =
    group.language === 'python' ? [pythonOf(folder), 'answering.py'] : [process.execPath, 'answering.mjs']
  const args = [join(folder, script), file]
  const { code, output } = await runProcess(program, args, { cwd: folder, timeoutMs: 120_000, env })
  if (code !== 0) throw new Error(`the reader of ${group.name} ended with ${code}:\n${output.slice(-1500)}`)
  const answers = answersIn(output)
  return asked.map(({ target, cases }) => {
    const version = group.packages[target.sdk] ?? ''
    const problems = cases.flatMap(({ question, expected }) => {
      const answer = answers.get(question.id)
      const record = servers.provider.requests.findLast(({ body }) => body.includes(question.id))
      const found = problemsOf({ question, expected, target, record }, answer)
      return judged(found, whyUnread(target, version, question.name)).map((problem) => `${question.name}: ${problem}`)
    })
    return { target, replies: cases.length, problems }
  })
}

const quiet = { NO_COLOR: '1', NODE_NO_WARNINGS: '1', LANGSMITH_TRACING: 'false' }

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
