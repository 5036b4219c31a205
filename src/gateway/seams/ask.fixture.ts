import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { anthropicFixture, openaiFixture } from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway } from '../on-the-wire/test-gateway.fixture.ts'

/** What a client of the official SDK got. */
export interface Asked {
  readonly text: string
  /** The arguments of its calls. */
  readonly calls: readonly unknown[]
  /** The assistant's message, as the client sends it back. */
  readonly message: unknown
}

export interface AskingDialect {
  readonly fixture: DialectFixture
  ask(gateway: TestGateway, body: Body, stream: boolean): Promise<Asked>
  /** A stream of text in these pieces. */
  stream(pieces: readonly string[]): string
}

export const askingOpenai: AskingDialect = {
  fixture: openaiFixture,
  async ask(gateway, body, stream) {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const params = body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
    const { choices } = stream
      ? await client.chat.completions.stream({ ...params, stream: true }).finalChatCompletion()
      : await client.chat.completions.create(params)
    const { content, tool_calls: calls } = choices[0]!.message
    return {
      text: content ?? '',
      calls: (calls ?? []).map((call) => (call.type === 'function' ? JSON.parse(call.function.arguments) : call)),
      message: { role: 'assistant', content, ...(calls && { tool_calls: calls }) },
    }
  },
  stream(pieces) {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const said = pieces.map((content) => chunk({ content }))
    return [chunk({ role: 'assistant', content: '' }), ...said, chunk({}, 'stop'), 'data: [DONE]\n\n'].join('')
  },
}

export const askingAnthropic: AskingDialect = {
  fixture: anthropicFixture,
  async ask(gateway, body, stream) {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
    const params = body as unknown as Anthropic.MessageCreateParamsNonStreaming
    const { content } = stream
      ? await client.messages.stream(params).finalMessage()
      : await client.messages.create(params)
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [block.input] : [])),
      message: { role: 'assistant', content },
    }
  },
  stream(pieces) {
    const usage = { input_tokens: 1, output_tokens: 1 }
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
}

export const askingDialects: readonly AskingDialect[] = [askingOpenai, askingAnthropic]

/** Every dialect, as a whole reply and as a stream. */
export const waysToAsk = askingDialects.flatMap((dialect) =>
  [false, true].map((stream) => ({
    name: `${dialect.fixture.name}, ${stream ? 'streamed' : 'JSON'}`,
    dialect,
    stream,
  })),
)
