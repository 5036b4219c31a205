import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'

type Message = OpenAI.Chat.ChatCompletionMessageParam

const tools: OpenAI.Chat.ChatCompletionTool[] = ['bash', 'edit'].map((name) => ({
  type: 'function',
  function: { name, description: `The agent's ${name}.`, parameters: { type: 'object', properties: {} } },
}))

interface RecordedMessage extends Readonly<Record<string, unknown>> {
  readonly role: string
}

export interface ExampleRun {
  readonly session: string
  /** Requests, from the first. */
  readonly steps: number
  /** How many of them are not sent. Default: 0. */
  readonly skipped?: number
  /** Between two requests: what an agent's tools take. */
  readonly pauseMs?: number
  /** Ends it before its last request. */
  readonly signal?: AbortSignal
}

/** The requests of the recorded example, as its agent would send them with the official SDK. */
export async function exampleRun(
  url: string,
  { session, steps, skipped = 0, pauseMs = 0, signal }: ExampleRun,
): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, '../examples/session.jsonl'), 'utf8')
  const recorded = (JSON.parse(text) as { readonly messages: readonly RecordedMessage[] }).messages
  const messages = recorded.map(({ ts: _ts, is_error: _error, ...message }) => message)
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', defaultHeaders: { 'x-session-id': session } })
  const ends = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : [])).slice(skipped, steps)
  for (const end of ends) {
    if (signal?.aborted === true) return
    await client.chat.completions.create({
      model: 'gpt-5.1',
      tools,
      messages: messages.slice(0, end) as unknown as Message[],
    })
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs))
  }
}

/** A request that fits into no window: it goes on as it came, and the provider refuses it in a long sentence. */
export async function refusedRequest(url: string): Promise<void> {
  const content = 'A line of many. '.repeat(20_000)
  const body = JSON.stringify({ model: 'gpt-4', messages: [{ role: 'user', content }] })
  const headers = { 'content-type': 'application/json', 'x-session-id': 'too-long' }
  const refused = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  await refused.arrayBuffer()
  if (refused.status !== 400) throw new Error(`it was answered ${refused.status}`)
}
