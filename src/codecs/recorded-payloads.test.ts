import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../core/index.ts'
import type { JsonObject, JsonValue, ModelReply } from '../core/index.ts'
import { codecFor } from './index.ts'

interface Recorded {
  readonly path: string
  readonly json?: JsonValue
  readonly sse_chunks?: readonly string[]
}

// Read where it lies; a missing file fails the suite.
const lines = readFileSync(new URL('../../../shared/data/provider-responses/fixtures.jsonl', import.meta.url), 'utf8')
const recorded = lines
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Recorded => JSON.parse(line))

const anthropic = recorded.filter(({ path }) => /packages\/anthropic\/src\/__fixtures__/.test(path))
const openai = recorded.filter(({ path }) => /packages\/(?:openai|deepseek)\/src\/chat\/__fixtures__/.test(path))
const responses = recorded.filter(({ path }) => /packages\/openai\/src\/responses\/__fixtures__/.test(path))
const bodies = (all: readonly Recorded[]): readonly (readonly [string, JsonObject])[] =>
  all.flatMap(({ path, json }) =>
    isJsonObject(json) && (json['error'] ?? null) === null ? [[path, json] as const] : [],
  )
/** Some recordings hold the streams of several requests, one after the other. */
const streams = (all: readonly Recorded[]): readonly (readonly [string, readonly string[]])[] =>
  all.flatMap(({ path, sse_chunks: chunks = [] }) => {
    const starts = chunks.flatMap((chunk, index) => (JSON.parse(chunk).type === 'message_start' ? [index] : []))
    return starts.map((start, nth) => [`${path} (${nth})`, chunks.slice(start, starts[nth + 1])] as const)
  })

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : []
}

function number(value: JsonValue | undefined, ...path: readonly string[]): number {
  const found = path.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), value)
  return typeof found === 'number' ? found : 0
}

describe('recorded Anthropic messages', () => {
  const codec = codecFor('anthropic-messages')

  it('are all there', () => {
    expect(bodies(anthropic).length).toBeGreaterThanOrEqual(29)
    expect(streams(anthropic)).toHaveLength(15)
  })

  it.each(bodies(anthropic))('%s decodes with everything in it', (_, json) => {
    const body = JSON.stringify(json)
    const reply = codec.decodeReply(body)
    const content = objects(json['content'])
    expect(JSON.parse(reply.message ?? '')).toEqual({ role: 'assistant', content: json['content'] })
    expect(reply.text).toBe(content.flatMap((block) => (block['type'] === 'text' ? [block['text']] : [])).join(''))
    expect(reply.toolCalls.map((call) => call.id)).toEqual(
      content.filter((block) => block['type'] === 'tool_use').map((block) => block['id']),
    )
    expect(reply.stopReason).toBe(json['stop_reason'])
    expect(reply.failure).toBeUndefined()
    expect(codec.mergeReplies([body], new Set(['rehydrate']))).toBe(body)
  })

  it.each(bodies(anthropic))('%s is billed in full', (_, json) => {
    const { usage } = codec.decodeReply(JSON.stringify(json))
    const billed = json['usage']
    const extra = objects(isJsonObject(billed) ? billed['iterations'] : []).filter(
      (part) => part['type'] === 'compaction',
    )
    const all = [billed, ...extra]
    const total = (...names: readonly string[]): number =>
      all.reduce<number>((sum, part) => sum + names.reduce((own, name) => own + number(part, name), 0), 0)
    expect(usage?.inputTokens).toBe(total('input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'))
    expect(usage?.outputTokens).toBe(total('output_tokens'))
    expect(usage?.cacheReadTokens ?? 0).toBe(total('cache_read_input_tokens'))
    expect(usage?.cacheWriteTokens ?? 0).toBe(total('cache_creation_input_tokens'))
  })

  it.each(streams(anthropic))('%s folds and passes the splicer untouched', (_, chunks) => {
    const events = chunks.map((data) => ({ event: String(JSON.parse(data).type), data }))
    const reducer = codec.reducer()
    const reply = reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
    expect(reply.failure).toBeUndefined()
    expect(reply.stopReason).toMatch(/end_turn|tool_use/)
    const deltas = chunks.map((chunk): JsonObject => JSON.parse(chunk)['delta'] ?? {})
    expect(reply.text).toBe(deltas.flatMap((delta) => (delta['type'] === 'text_delta' ? [delta['text']] : [])).join(''))
    const starts = chunks.map((chunk) => JSON.parse(chunk)).filter((data) => data.type === 'content_block_start')
    const content = JSON.parse(reply.message ?? '').content
    expect(content.map((block: JsonObject) => block['type'])).toEqual(starts.map((start) => start.content_block.type))
    expect(reply.usage?.outputTokens).toBe(number(JSON.parse(chunks.at(-2) ?? '').usage, 'output_tokens'))

    const splicer = codec.splicer()
    let state = splicer.begin(new Set(['rehydrate']))
    const forwarded = events.flatMap((event) => {
      const step = splicer.step(state, event)
      state = step.state
      return step.forward
    })
    expect(forwarded).toEqual(events)
  })
})

describe('recorded OpenAI and DeepSeek completions', () => {
  const codec = codecFor('openai-chat')

  it('are all there', () => {
    expect(bodies(openai)).toHaveLength(5)
  })

  it.each(bodies(openai))('%s decodes with everything in it', (_, json) => {
    const body = JSON.stringify(json)
    const reply = codec.decodeReply(body)
    const [choice] = objects(json['choices'])
    const message = isJsonObject(choice?.['message']) ? choice['message'] : {}
    expect(JSON.parse(reply.message ?? '')).toEqual(message)
    expect(reply.text).toBe(message['content'])
    expect(reply.toolCalls.map((call) => call.id)).toEqual(objects(message['tool_calls']).map((call) => call['id']))
    expect(reply.stopReason).toBe(choice?.['finish_reason'])
    const { usage } = reply
    expect(usage?.inputTokens).toBe(number(json['usage'], 'prompt_tokens'))
    expect(usage?.outputTokens).toBe(number(json['usage'], 'completion_tokens'))
    expect(usage?.cacheReadTokens).toBe(number(json['usage'], 'prompt_tokens_details', 'cached_tokens'))
    expect(usage?.reasoningTokens ?? 0).toBe(number(json['usage'], 'completion_tokens_details', 'reasoning_tokens'))
    expect(codec.mergeReplies([body], new Set(['rehydrate']))).toBe(body)
  })

  it('reads an error body as a failure', () => {
    const error = recorded.find(({ path }) => path.endsWith('reasoning-model-legacy-parameter-error.json'))
    const reply: ModelReply = codec.decodeReply(JSON.stringify(error?.json))
    expect(reply.failure).toMatchObject({ type: 'invalid_request_error' })
    expect(reply.toolCalls).toEqual([])
  })
})

describe('recorded Responses', () => {
  const codec = codecFor('openai-responses')
  const streamed = responses.flatMap(({ path, sse_chunks: chunks }) => (chunks ? [[path, chunks] as const] : []))

  it('are all there', () => {
    expect(bodies(responses)).toHaveLength(28)
    expect(streamed).toHaveLength(7)
  })

  it.each(bodies(responses))('%s decodes with everything in it', (_, json) => {
    const body = JSON.stringify(json)
    const reply = codec.decodeReply(body)
    const output = objects(json['output'])
    expect(JSON.parse(reply.message ?? '')).toEqual(output)
    const parts = output.flatMap((item) => (item['type'] === 'message' ? objects(item['content']) : []))
    expect(reply.text).toBe(parts.map((part) => part['text'] ?? '').join(''))
    expect(reply.failure).toBeUndefined()
    expect(reply.usage?.inputTokens ?? 0).toBe(number(json['usage'], 'input_tokens'))
    expect(reply.usage?.cacheReadTokens ?? 0).toBe(number(json['usage'], 'input_tokens_details', 'cached_tokens'))
    expect(reply.usage?.reasoningTokens ?? 0).toBe(number(json['usage'], 'output_tokens_details', 'reasoning_tokens'))
    expect(codec.mergeReplies([body], new Set(['rehydrate']))).toBe(body)
  })

  it.each(bodies(responses))('%s goes back as it came', (_, json) => {
    const input = [{ role: 'user', content: 'go' }, ...objects(json['output']), { role: 'user', content: 'more' }]
    const body = JSON.stringify({ model: 'm', input })
    expect(codec.encode(codec.decode({ body }), {})).toBe(body)
  })

  it.each(streamed)('%s folds and passes the splicer untouched', (_, chunks) => {
    const events = chunks.map((data) => ({ event: String(JSON.parse(data).type), data }))
    const reducer = codec.reducer()
    const reply = reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
    expect(reply.failure).toBeUndefined()
    const deltas = chunks.map((chunk): JsonObject => JSON.parse(chunk))
    const said = deltas.flatMap((data) => (data['type'] === 'response.output_text.delta' ? [data['delta']] : []))
    expect(reply.text).toBe(said.join(''))
    const splicer = codec.splicer()
    let state = splicer.begin(new Set(['rehydrate']))
    const forwarded = events.flatMap((event) => {
      const step = splicer.step(state, event)
      state = step.state
      return step.forward
    })
    expect(forwarded).toEqual(events)
  })

  it('of a shell that the provider runs call for nothing', () => {
    const found = responses.find(({ path }) => path.endsWith('openai-shell-container.1.json'))
    expect(codec.decodeReply(JSON.stringify(found?.json)).toolCalls).toEqual([])
  })
})
