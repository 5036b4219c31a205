import type { SimulatedRequest } from '../../src/providers/index.ts'
import type { Expected, ListCase } from './cases.ts'
import type { Target } from './matrix.ts'

export interface Question {
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
export interface Answer {
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

export interface AskedCase {
  readonly question: Question
  readonly expected: Expected
}

interface Compared extends AskedCase {
  readonly target: Target
  /** The request as it reached the provider. */
  readonly record: Pick<SimulatedRequest, 'usage'> | undefined
}

/** What an SDK did not read as it was written, one line each. */
export function problemsOf(
  { question, expected, target, record }: Compared,
  answer: Answer | undefined,
): readonly string[] {
  if (answer === undefined) return ['no answer']
  if (expected.error !== undefined) return errorProblems(expected.error, answer)
  if (answer.error !== undefined) return [`${answer.error.name}: ${answer.error.message}`]
  if (question.kind === 'count') return differs('tokens', (answer.tokens ?? 0) > 0, true)
  if (question.kind === 'model') return differs('model', answer.ids?.[0]?.endsWith(target.model), true)
  if (question.kind === 'models') return differs('models', (answer.ids ?? []).length > 0, true)
  const { usage } = record ?? {}
  if (usage === undefined) return ['the provider has not seen the request']
  return [
    ...differs('text', answer.text, expected.text),
    ...differs('thinking', answer.thinking, target.showsThinking === true ? expected.thinking : undefined),
    ...differs('calls', answer.calls, expected.calls),
    ...differs('finish', answer.finish, expected.finish),
    ...differs('input tokens', answer.input, usage.inputTokens),
    ...differs('output tokens', answer.output, usage.outputTokens),
    ...differs('cached tokens', answer.cached, usage.cacheReadTokens ?? 0),
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

/** What an SDK is known not to read it is not to read, so that nobody goes on saying that it does not. */
export function judged(problems: readonly string[], known: string | undefined): readonly string[] {
  if (known === undefined) return problems
  return problems.length > 0 ? [] : [`it is read, though ${known}; say so no longer`]
}
