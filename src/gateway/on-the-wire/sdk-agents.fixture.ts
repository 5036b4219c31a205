// One agent, written with the official SDK of each dialect: it reads files until the model calls for no more.
import Anthropic from '@anthropic-ai/sdk'
import type { Content, Part } from '@google/genai'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { KnownDialect } from '../../core/index.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

/** What an agent has seen and done, in words of no dialect. */
export interface AgentRun {
  readonly texts: string[]
  readonly calls: string[]
  readonly stops: string[]
  /** Input tokens, as it was told. */
  readonly usages: number[]
}

export interface AgentOptions {
  readonly url: TestGateway['url']
  readonly model: string
  readonly stream: boolean
  readonly maxTokens: number
}

export type SdkAgent = (options: AgentOptions) => Promise<AgentRun>

const system = 'You are an agent.'
const task = 'Find the value.'
const description = 'Reads a file.'
const schema = { type: 'object' as const, properties: { path: { type: 'string' } } }

function newRun(): AgentRun {
  return { texts: [], calls: [], stops: [], usages: [] }
}

/** Notes a call, and gives what the file says. */
function called({ calls }: AgentRun, name: string, args: unknown): string {
  const said = JSON.stringify(args)
  calls.push(`${name} ${said}`)
  return `content of ${said}`
}

const chatAgent: SdkAgent = async ({ url, model, stream, maxTokens }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
  const run = newRun()
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: task },
  ]
  const tools = [{ type: 'function' as const, function: { name: 'read', description, parameters: schema } }]
  for (;;) {
    const params = { model, tools, messages, max_completion_tokens: maxTokens }
    const { choices, usage } = stream
      ? await client.chat.completions
          .stream({ ...params, stream: true, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(params)
    const { message, finish_reason: stop } = choices[0]!
    if (message.content) run.texts.push(message.content)
    run.stops.push(stop)
    run.usages.push(usage!.prompt_tokens)
    messages.push(message)
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') continue
      const content = called(run, call.function.name, JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
    if (!message.tool_calls?.length) return run
  }
}

const anthropicAgent: SdkAgent = async ({ url, model, stream, maxTokens }) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })
  const run = newRun()
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
  const tools = [{ name: 'read', description, input_schema: schema }]
  for (;;) {
    const params = { model, max_tokens: maxTokens, tools, system, messages }
    const { content, stop_reason, usage } = stream
      ? await client.messages.stream(params).finalMessage()
      : await client.messages.create(params)
    run.stops.push(stop_reason!)
    run.usages.push(
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    )
    messages.push({ role: 'assistant', content })
    const results: Anthropic.ToolResultBlockParam[] = []
    for (const block of content) {
      if (block.type === 'text') run.texts.push(block.text)
      if (block.type !== 'tool_use') continue
      results.push({ type: 'tool_result', tool_use_id: block.id, content: called(run, block.name, block.input) })
    }
    if (results.length === 0) return run
    messages.push({ role: 'user', content: results })
  }
}

const responsesAgent: SdkAgent = async ({ url, model, stream, maxTokens }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
  const run = newRun()
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: task }]
  const tools = [{ type: 'function' as const, name: 'read', description, parameters: schema, strict: false }]
  for (;;) {
    const params = { model, instructions: system, tools, input, store: false, max_output_tokens: maxTokens }
    const response = stream
      ? await client.responses.stream({ ...params, stream: true }).finalResponse()
      : await client.responses.create(params)
    if (response.output_text !== '') run.texts.push(response.output_text)
    run.stops.push(response.status ?? 'none')
    run.usages.push(response.usage!.input_tokens)
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]))
    const before = input.length
    for (const item of response.output) {
      if (item.type !== 'function_call') continue
      const output = called(run, item.name, JSON.parse(item.arguments))
      input.push({ type: 'function_call_output', call_id: item.call_id, output })
    }
    if (input.length === before) return run
  }
}

const geminiAgent: SdkAgent = async ({ url, model, stream, maxTokens }) => {
  const { models } = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url } })
  const run = newRun()
  const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }]
  const tools = [{ functionDeclarations: [{ name: 'read', description, parametersJsonSchema: schema }] }]
  const config = { systemInstruction: system, tools, maxOutputTokens: maxTokens }
  for (;;) {
    const chunks = []
    if (stream)
      for await (const chunk of await models.generateContentStream({ model, contents, config })) chunks.push(chunk)
    else chunks.push(await models.generateContent({ model, contents, config }))
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const text = parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('')
    if (text !== '') run.texts.push(text)
    run.stops.push(chunks.at(-1)?.candidates?.[0]?.finishReason ?? 'none')
    run.usages.push(chunks.at(-1)?.usageMetadata?.promptTokenCount ?? 0)
    contents.push({ role: 'model', parts })
    const results = parts.flatMap(({ functionCall }): Part[] => {
      if (!functionCall) return []
      const { id, name = '', args } = functionCall
      return [
        { functionResponse: { ...(id !== undefined && { id }), name, response: { output: called(run, name, args) } } },
      ]
    })
    if (results.length === 0) return run
    contents.push({ role: 'user', parts: results })
  }
}

/** Each, with how it is told that the model calls, and that it is done. */
export const sdkAgents: Readonly<
  Record<KnownDialect, { readonly agent: SdkAgent; readonly calls: string; readonly done: string }>
> = {
  'openai-chat': { agent: chatAgent, calls: 'tool_calls', done: 'stop' },
  'openai-responses': { agent: responsesAgent, calls: 'completed', done: 'completed' },
  'anthropic-messages': { agent: anthropicAgent, calls: 'tool_use', done: 'end_turn' },
  'gemini': { agent: geminiAgent, calls: 'STOP', done: 'STOP' },
}
