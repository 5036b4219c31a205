import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { TestGateway } from './test-gateway.fixture.ts'

/** A client of an official SDK that only talks. */
export interface Chat {
  readonly name: string
  /** Says a conversation in which user and assistant take turns, the user first and last; gives the answer. */
  ask(gateway: Pick<TestGateway, 'url'>, said: readonly string[], key?: string): Promise<string>
  /** All that a body says, in its order. */
  wordsOf(body: string): string
}

const words = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ')

/** So many turns of about 120 tokens, the last of them unanswered; the second holds an order. */
export function chatTurns(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, at) => {
    const order = at === 1 ? 'Never deploy on Fridays. ' : ''
    return [
      `${order}This is question ${at + 1} about ${words('topic', 18)}.`,
      `This is answer ${at + 1} of ${words('part', 22)}.`,
    ]
  })
    .flat()
    .slice(0, -1)
}

const tool = { name: 'read', description: 'Reads a file.' }
const schema = { type: 'object' as const, properties: { path: { type: 'string' } } }

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

const said = (member: string) => (body: string) =>
  strings((JSON.parse(body) as Record<string, unknown>)[member]).join('\n')

const roleOf = (at: number): 'user' | 'assistant' => (at % 2 === 0 ? 'user' : 'assistant')

export const chats: readonly Chat[] = [
  {
    name: 'openai-chat',
    wordsOf: said('messages'),
    async ask({ url }, texts, apiKey = 'key') {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
      const tools = [{ type: 'function' as const, function: { ...tool, parameters: schema } }]
      const messages = texts.map((content, at) => ({ role: roleOf(at), content }))
      const { choices } = await client.chat.completions.create({ model: 'gpt-5.1', messages, tools })
      return choices[0]?.message.content ?? ''
    },
  },
  {
    name: 'openai-chat, without tools',
    wordsOf: said('messages'),
    async ask({ url }, texts, apiKey = 'key') {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
      const messages = texts.map((content, at) => ({ role: roleOf(at), content }))
      const { choices } = await client.chat.completions.create({ model: 'gpt-5.1', messages })
      return choices[0]?.message.content ?? ''
    },
  },
  {
    name: 'openai-responses',
    wordsOf: said('input'),
    async ask({ url }, texts, apiKey = 'key') {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
      const tools = [{ type: 'function' as const, ...tool, parameters: schema, strict: false }]
      const input = texts.map((content, at) => ({ role: roleOf(at), content }))
      const { output_text: text } = await client.responses.create({ model: 'gpt-5.1', input, tools, store: false })
      return text
    },
  },
  {
    name: 'anthropic-messages',
    wordsOf: said('messages'),
    async ask({ url }, texts, apiKey = 'key') {
      const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
      const tools = [{ ...tool, input_schema: schema }]
      const messages = texts.map((content, at) => ({ role: roleOf(at), content }))
      const { content } = await client.messages.create({ model: 'claude-sonnet-4-6', max_tokens: 500, messages, tools })
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
  },
  {
    name: 'gemini',
    wordsOf: said('contents'),
    async ask({ url }, texts, apiKey = 'key') {
      const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
      const contents = texts.map((text, at) => ({ role: at % 2 === 0 ? 'user' : 'model', parts: [{ text }] }))
      const config = { tools: [{ functionDeclarations: [{ ...tool, parametersJsonSchema: schema }] }] }
      return (await models.generateContent({ model: 'gemini-2.5-pro', contents, config })).text ?? ''
    },
  },
]
