import type { Dialect } from '../../core/index.ts'

/** How a client of a dialect asks, and how a provider of it streams. */
export interface ContractDialect {
  readonly name: Dialect
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A conversation in which the user has said these, each time answered. */
  body(says: readonly string[], stream?: boolean): { readonly messages: readonly unknown[] }
  /** A tool of the client's, as the dialect lists it. */
  readonly tool: unknown
  /** A stream of text in these pieces. */
  stream(pieces: readonly string[]): string
  /** The same text in one body. */
  whole(text: string): string
}

const usage = { input_tokens: 1, output_tokens: 1 }

function conversation(says: readonly string[]): readonly unknown[] {
  return says.flatMap((content, index) => [
    ...(index === 0 ? [] : [{ role: 'assistant', content: 'Noted.' }]),
    { role: 'user', content },
  ])
}

const openai: ContractDialect = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  headers: { authorization: 'Bearer key' },
  tool: { type: 'function', function: { name: 'read', parameters: { type: 'object' } } },
  body: (says, stream = false) => ({ model: 'gpt-5.1', stream, messages: conversation(says) }),
  stream(pieces) {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const said = pieces.map((content) => chunk({ content }))
    return [chunk({ role: 'assistant', content: '' }), ...said, chunk({}, 'stop'), 'data: [DONE]\n\n'].join('')
  },
  whole(content) {
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
    return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice] })
  },
}

const anthropic: ContractDialect = {
  name: 'anthropic-messages',
  path: '/v1/messages',
  headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
  tool: { name: 'read', input_schema: { type: 'object' } },
  body: (says, stream = false) => ({
    model: 'claude-sonnet-4-6',
    max_tokens: 1024,
    stream,
    messages: conversation(says),
  }),
  stream(pieces) {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage }
    const events: readonly { readonly type: string; readonly [name: string]: unknown }[] = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  },
  whole: (text) =>
    JSON.stringify({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      usage,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
    }),
}

export const contractDialects: readonly ContractDialect[] = [openai, anthropic]
