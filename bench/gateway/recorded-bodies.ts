import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const traces = resolve(import.meta.dirname, '../../../shared/data/swe-traces/lite_test_a.jsonl')

interface RecordedMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly tool_call_id?: string
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'bash',
      description: 'Runs a command.',
      parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    },
  },
]

let sessions: readonly (readonly RecordedMessage[])[] | undefined

/**
 * Requests of recorded coding agents, each session from its first request to its last, one session after the other; every
 * seed begins with another one and makes each session its own.
 */
export function recordedBodies(stream: boolean, seed: number): () => string {
  sessions ??= readFileSync(traces, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly messages: readonly RecordedMessage[] }).messages)
  const all = sessions
  let session = seed * 7
  let length = 0
  return () => {
    let messages = all[session % all.length] ?? []
    length = nextRequest(messages, length + 1)
    if (length > messages.length) {
      session += 1
      messages = all[session % all.length] ?? []
      length = nextRequest(messages, 1)
    }
    const told = messages
      .slice(0, length)
      .map((message, index) => wireMessage(message, index === 0 ? `\n(${seed}.${session})` : ''))
    return JSON.stringify({ model: 'gpt-5.1', ...(stream && { stream }), tools, messages: told })
  }
}

/** Messages of the first request with at least that many: a model is asked before each word of its own. */
function nextRequest(messages: readonly RecordedMessage[], least: number): number {
  let length = least
  while (length < messages.length && messages[length]?.role !== 'assistant') length += 1
  return length
}

function wireMessage(
  { role, content, tool_calls: calls, tool_call_id: callId }: RecordedMessage,
  mark: string,
): object {
  return {
    role,
    content: content === null ? null : content + mark,
    ...(calls && {
      tool_calls: calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
    ...(callId !== undefined && { tool_call_id: callId }),
  }
}
