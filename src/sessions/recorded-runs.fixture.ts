import { readFileSync } from 'node:fs'

/** A message of a recorded run. */
interface RecordedMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly tool_call_id?: string
}

/** A coding agent's run as it was recorded: the messages of a client, all of them. */
export interface RecordedRun {
  readonly id: string
  readonly messages: readonly object[]
}

// Read where they lie; a missing file fails the suite.
const folder = new URL('../../../shared/data/swe-traces/', import.meta.url)

/** The first runs of a file. */
export function recordedRuns(file: string, runs: number): readonly RecordedRun[] {
  const lines = readFileSync(new URL(`${file}.jsonl`, folder), 'utf8').split('\n', runs)
  return lines.map((line) => {
    const { id, messages } = JSON.parse(line) as { id: string; messages: readonly RecordedMessage[] }
    return { id, messages: messages.map(chatMessage) }
  })
}

function chatMessage({ role, content, tool_calls: calls, tool_call_id }: RecordedMessage): object {
  const own = calls?.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return { role, content, ...(own && { tool_calls: own }), ...(tool_call_id !== undefined && { tool_call_id }) }
}

/** The places at which the run asked its model. */
export function askedAt({ messages }: RecordedRun): readonly number[] {
  return messages.flatMap((message, at) => (at > 0 && 'role' in message && message.role === 'assistant' ? [at] : []))
}

/** The body of a request with these messages. */
export function chatBody(messages: readonly unknown[]): string {
  const bash = { name: 'bash', description: 'Runs a command.', parameters: { type: 'object' } }
  return JSON.stringify({ model: 'gpt-5.1', tools: [{ type: 'function', function: bash }], messages })
}
