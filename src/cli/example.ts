import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PrehendError } from '../core/index.ts'
import type { Script, ScriptedAnswer } from '../providers/index.ts'

/** A session that the project recorded itself; see scripts/record-example.ts. */
export const exampleFile = fileURLToPath(new URL('../../examples/session.jsonl', import.meta.url))

export function hasExample(): boolean {
  return existsSync(exampleFile)
}

export interface RecordedSession {
  readonly id: string
  readonly model: string
  readonly tools: readonly unknown[]
  readonly messages: readonly Readonly<Record<string, unknown>>[]
}

export function exampleSession(): RecordedSession {
  return JSON.parse(readFileSync(exampleFile, 'utf8')) as RecordedSession
}

interface RecordedCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Answers the requests of a recorded session as they were answered, and echoes all others. */
export function exampleAnswers({ messages }: RecordedSession): Script {
  const opening = JSON.stringify(messages.find(({ role }) => role === 'user')?.['content'])
  return ({ json }) => {
    const asked = json?.['messages']
    if (!Array.isArray(asked) || !asked.some((message) => JSON.stringify(message?.content) === opening))
      return undefined
    const answer = messages[asked.length]
    return answer?.['role'] === 'assistant' ? answerOf(answer) : undefined
  }
}

function answerOf({ content, tool_calls: calls = [] }: RecordedSession['messages'][number]): ScriptedAnswer {
  const toolCalls = (calls as readonly RecordedCall[]).map(({ id, function: { name, arguments: said } }) => ({
    id,
    name,
    arguments: said,
  }))
  return { toolCalls, ...(typeof content === 'string' && { text: content }) }
}

/** The session that a gateway knows it by. */
export function sentName({ id }: Pick<RecordedSession, 'id'>): string {
  return `example-${id}`
}

export interface SendOptions {
  readonly url: string
  readonly token?: string
}

/**
 * Sends a session through a gateway as its agent would have, unless its store holds others: it would be in their totals. Gives the number of
 * requests, 0 when it was there already.
 */
export async function sendSession(
  { id, model, tools, messages }: RecordedSession,
  { url, token = 'example' }: SendOptions,
): Promise<number | 'store-in-use'> {
  const exampleName = sentName({ id })
  const headers = {
    'content-type': 'application/json',
    'authorization': `Bearer ${token}`,
    'x-session-id': exampleName,
  }
  const holds = async (path: string): Promise<boolean> => {
    const { data = [] } = (await (await fetch(url + path, { headers })).json()) as {
      readonly data?: readonly unknown[]
    }
    return data.length > 0
  }
  if (await holds(`/v1/packs?limit=1&session=${exampleName}`)) return 0
  if (await holds('/v1/packs?limit=1')) return 'store-in-use'
  const wire = messages.map(({ ts: _ts, is_error: _error, ...message }) => message)
  const steps = wire.flatMap((message, index) => (message['role'] === 'assistant' ? [index] : []))
  for (const step of steps) {
    const body = JSON.stringify({ model, tools, messages: wire.slice(0, step) })
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    const answer = await response.text()
    if (response.ok) continue
    const remedy = 'Look at the gateway with --log'
    throw new PrehendError('upstream-broken', `The example request was answered with ${response.status}: ${answer}`, {
      remedy,
    })
  }
  return steps.length
}
