import Anthropic from '@anthropic-ai/sdk'
import type { Content, GenerateContentParameters, GenerateContentResponse, Part } from '@google/genai'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { TestGateway } from './test-gateway.fixture.ts'
import { anthropicFixture, longResult, openaiFixture } from './test-gateway.fixture.ts'
import { geminiBody } from './scripted-gemini.fixture.ts'

/** What a client of an official SDK has got. */
export interface GotReply {
  readonly text: string
  /** The arguments of its calls. */
  readonly calls: readonly unknown[]
  readonly stop: unknown
  /** What it is told that this took. */
  readonly usage: ToldUsage
  /** Its messages after that: what was said, and an answer to each call. */
  readonly messages: readonly unknown[]
}

/** The size of a context as a client computes it from a reply; what was read from a cache is part of it. */
export interface ToldUsage {
  readonly prompt: number
  readonly cached: number
  readonly completion: number
}

export interface AskedGateway extends Pick<TestGateway, 'url'> {
  readonly apiKey?: string
}

export interface SdkDialect {
  readonly name: string
  /** A conversation with that many long results. */
  messages(results: number): readonly unknown[]
  ask(gateway: AskedGateway, messages: readonly unknown[], stream: boolean): Promise<GotReply>
}

const anthropic: SdkDialect = {
  name: 'anthropic-messages',
  messages: (results) => anthropicFixture.body(results).messages,
  async ask({ url, apiKey = 'key' }, messages, stream) {
    const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
    const params = { ...anthropicFixture.body(0), messages } as unknown as Anthropic.MessageCreateParamsNonStreaming
    const {
      content,
      stop_reason: stop,
      usage,
    } = stream ? await client.messages.stream(params).finalMessage() : await client.messages.create(params)
    const cached = usage.cache_read_input_tokens ?? 0
    const prompt = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0)
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'written' }))
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: calls.map(({ input }) => input),
      stop,
      usage: { prompt, cached, completion: usage.output_tokens },
      messages: [...messages, { role: 'assistant', content }, { role: 'user', content: results }],
    }
  },
}

const chat: SdkDialect = {
  name: 'openai-chat',
  messages: (results) => openaiFixture.body(results).messages,
  async ask({ url, apiKey = 'key' }, messages, stream) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
    const params = { ...openaiFixture.body(0), messages } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
    const streamed = { ...params, stream: true, stream_options: { include_usage: true } } as const
    const { choices, usage } = stream
      ? await client.chat.completions.stream(streamed).finalChatCompletion()
      : await client.chat.completions.create(params)
    const { message, finish_reason: stop } = choices[0]!
    const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'written' }))
    return {
      text: message.content ?? '',
      calls: calls.map((call) => JSON.parse(call.function.arguments) as unknown),
      stop,
      usage: {
        prompt: usage!.prompt_tokens,
        cached: usage!.prompt_tokens_details?.cached_tokens ?? 0,
        completion: usage!.completion_tokens,
      },
      messages: [...messages, message, ...results],
    }
  },
}

const responses: SdkDialect = {
  name: 'openai-responses',
  messages: (results) => [
    { role: 'user', content: 'Find the value.' },
    ...Array.from({ length: results }, (_, at) => [
      { type: 'function_call', call_id: `call_${at + 1}`, name: 'read', arguments: `{"path":"f${at + 1}"}` },
      { type: 'function_call_output', call_id: `call_${at + 1}`, output: longResult(at + 1) },
    ]).flat(),
  ],
  async ask({ url, apiKey = 'key' }, messages, stream) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
    const tools = [
      { type: 'function' as const, name: 'read', description: 'Reads a file.', parameters: {}, strict: false },
      { type: 'custom' as const, name: 'patch' },
    ]
    const input = messages as OpenAI.Responses.ResponseInputItem[]
    const params = { model: 'gpt-5.1', instructions: 'You are an agent.', tools, input, store: false }
    const { output, status, usage } = stream
      ? await client.responses.stream({ ...params, stream: true }).finalResponse()
      : await client.responses.create(params)
    const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'written' }))
    return {
      text: output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'output_text' ? part.text : ''))
        .join(''),
      calls: calls.map((call) => JSON.parse(call.arguments) as unknown),
      stop: status,
      usage: {
        prompt: usage!.input_tokens,
        cached: usage!.input_tokens_details.cached_tokens,
        completion: usage!.output_tokens,
      },
      messages: [...messages, ...output, ...results],
    }
  },
}

const gemini: SdkDialect = {
  name: 'gemini',
  messages: (results) => geminiBody(results).contents,
  async ask({ url, apiKey = 'key' }, messages, stream) {
    const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
    const { tools, systemInstruction } = geminiBody(0) as unknown as NonNullable<GenerateContentParameters['config']>
    const config = { tools: tools!, systemInstruction: systemInstruction! }
    const params = { model: 'gemini-2.5-pro', contents: messages as Content[], config }
    const chunks: GenerateContentResponse[] = []
    if (stream) for await (const chunk of await models.generateContentStream(params)) chunks.push(chunk)
    else chunks.push(await models.generateContent(params))
    const told = chunks.at(-1)?.usageMetadata
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    const results = calls.map(({ name }): Part => ({
      functionResponse: { name: name!, response: { output: 'written' } },
    }))
    return {
      text: parts.map(({ text }) => text ?? '').join(''),
      calls: calls.map(({ args }) => args),
      stop: chunks.at(-1)?.candidates?.[0]?.finishReason,
      usage: {
        prompt: told?.promptTokenCount ?? 0,
        cached: told?.cachedContentTokenCount ?? 0,
        completion: (told?.candidatesTokenCount ?? 0) + (told?.thoughtsTokenCount ?? 0),
      },
      messages: [...messages, { role: 'model', parts }, { role: 'user', parts: results }],
    }
  },
}

const sdkDialects: readonly SdkDialect[] = [anthropic, chat, responses, gemini]

/** Every dialect with its official SDK, as whole replies and as streams. */
export const sdkWays = sdkDialects.flatMap((dialect) =>
  [false, true].map((stream) => ({ name: `${dialect.name}, ${stream ? 'streamed' : 'whole'}`, dialect, stream })),
)
