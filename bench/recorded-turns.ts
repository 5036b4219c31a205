import { readFileSync } from 'node:fs'

/** A message as the recorded sessions of `../shared/data` have it. */
export interface RecordedMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly tool_call_id?: string
  /** When it was said, where that was recorded. */
  readonly ts?: string
}

/** The messages of each session of a file, one session a line. */
export function recordedSessions(file: string | URL): readonly (readonly RecordedMessage[])[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly messages: readonly RecordedMessage[] }).messages)
}

/** Messages of the first request with at least that many: a model is asked before each word of its own. */
export function nextRequest(messages: readonly RecordedMessage[], least: number): number {
  let length = least
  while (length < messages.length && messages[length]?.role !== 'assistant') length += 1
  return length
}

/** As Chat Completions has it; `mark` stands behind the text. */
export function wireMessage(
  { role, content, tool_calls: calls, tool_call_id: callId }: RecordedMessage,
  mark = '',
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

/** What the agents of recorded sessions may call, for short. */
export const tools = [
  {
    type: 'function',
    function: {
      name: 'bash',
      description: 'Runs a command.',
      parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    },
  },
]
