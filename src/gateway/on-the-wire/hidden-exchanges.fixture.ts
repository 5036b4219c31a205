import type { AnswerPart, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { askingOpenai } from '../seams/ask.fixture.ts'
import type { AskingDialect } from '../seams/ask.fixture.ts'
import { anHourMs, handleIn, longResult, post } from './test-gateway.fixture.ts'
import type { Body, TestGateway } from './test-gateway.fixture.ts'

export type Block = Readonly<Record<string, unknown>> & {
  readonly type: string
  readonly text?: string
}
export type Message = Readonly<Record<string, unknown>> & { readonly content: string | null | readonly Block[] }

export const says = (text: string): AnswerPart => ({ type: 'text', text })
/** As servers draw them. */
export const callId = 'call_5JgLPB7mkwOqvHbWeFk0y3rd'
export const reads = (id: string): AnswerPart => ({
  type: 'tool-call',
  name: 'read',
  arguments: { path: 'f10', note: '' },
  id,
})

/** The model's third answer: it looks at result 1 again, and then says these parts. */
export function lookingAgain(
  last: readonly AnswerPart[],
  first: readonly AnswerPart[] = [says('Let me look again. ')],
) {
  return ({ body }: SimulatedRequest, turn: number): ScriptEntry => {
    const handle = handleIn(body, 1) ?? 'none'
    if (turn === 2) return { parts: [...first, { type: 'tool-call', name: 'rehydrate', arguments: { handle } }] }
    return turn === 3 ? { parts: last } : 'done'
  }
}

/** Every fifth line of long texts, so that many sessions take little time. */
const shorter = (text: string): string =>
  text
    .split('\n')
    .filter((_, index) => index % 5 === 0)
    .join('\n')

/** A body with ids of calls that a server has counted, or drawn. */
export function bodyOf(
  { fixture }: Pick<AskingDialect, 'fixture'>,
  results: number,
  more?: Record<string, unknown>,
  isDrawn = false,
): Body {
  const json = JSON.stringify(fixture.body(results, more))
  const named = isDrawn ? json.replaceAll(/"(call|toolu)_(?=\d+")/g, '"$1_aX4kQ9zB_') : json
  return JSON.parse(named, (_, value: unknown) =>
    typeof value === 'string' && value.length > 1000 ? shorter(value) : value,
  ) as Body
}

/** What the model gets when it looks at result 1 again, as it stands in a body. */
export const brought = JSON.stringify(shorter(longResult(1))).slice(1, -1)

export interface Way {
  readonly dialect: AskingDialect
  readonly stream: boolean
  /** Whether ids of calls are drawn. */
  readonly isDrawn?: boolean
}

/** A session in which the model has looked again, and its reply as the client has got it. */
export async function lookedAgain(
  gateway: TestGateway,
  { dialect, stream, isDrawn = false }: Way,
  more: Record<string, unknown> = {},
): Promise<{ readonly body: Body; readonly messages: readonly Message[]; readonly message: Message }> {
  for (const results of [7, 8]) {
    await dialect.ask(gateway, bodyOf(dialect, results, more, isDrawn), stream)
    await gateway.clock.advance(anHourMs)
  }
  const body = bodyOf(dialect, 9, more, isDrawn)
  const { message } = await dialect.ask(gateway, body, stream)
  return { body, messages: body.messages as Message[], message: message as Message }
}

/** The message with which a client answers a call. */
export function answerTo({ dialect }: Pick<Way, 'dialect'>, id: string, text: string): Message {
  return dialect === askingOpenai
    ? { role: 'tool', tool_call_id: id, content: text }
    : { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] }
}

export interface Asked {
  /** What went to the provider. */
  readonly sent: string
  readonly lost: string | null
}

/** Sends a conversation that the provider accepts. */
export async function asks(
  gateway: TestGateway,
  { dialect }: Pick<Way, 'dialect'>,
  body: object,
  headers?: Record<string, string>,
): Promise<Asked> {
  const response = await post(gateway, dialect.fixture, body, headers)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return { sent: gateway.provider.requests.at(-1)?.body ?? '', lost: response.headers.get('x-prehend-hidden-lost') }
}
