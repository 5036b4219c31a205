import { describe, expect, it } from 'vitest'
import type { Dialect, ReasoningChain } from '../../core/index.ts'
import { reasoningOf } from './reasoning-of.ts'

const chat = (message: object, usage?: object) => ({
  choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  usage,
})
const claude = (...content: object[]) => ({
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 9 },
})
const responses = (...output: object[]) => ({
  object: 'response',
  status: 'completed',
  output,
  usage: { input_tokens: 1, output_tokens: 9, output_tokens_details: { reasoning_tokens: 7 } },
})
const gemini = (...parts: object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 5 },
})

const thinking = { type: 'thinking', thinking: 'Two ways.', signature: 'c2ln' }
const text = { type: 'text', text: 'So.' }

interface Case {
  readonly name: string
  readonly dialect: Dialect
  readonly body: object
  readonly told: Partial<ReasoningChain>
}

const cases: readonly Case[] = [
  {
    name: 'between <think> tags (DeepSeek R1, Qwen)',
    dialect: 'openai-chat',
    body: chat({ content: '<think>\nTwo ways.\n</think>\n\nSo.' }),
    told: { visibility: 'visible', content: '\nTwo ways.\n', interleaved: false, rawBlocks: [] },
  },
  {
    name: 'in a <think> tag that is never closed',
    dialect: 'openai-chat',
    body: chat({ content: '<think>Two wa' }),
    told: { visibility: 'visible', content: 'Two wa' },
  },
  {
    name: 'in reasoning_content',
    dialect: 'openai-chat',
    body: chat({ content: 'So.', reasoning_content: 'Two ways.' }),
    told: { visibility: 'visible', content: 'Two ways.', rawBlocks: ['{"reasoning_content":"Two ways."}'] },
  },
  {
    name: "in OpenRouter's details",
    dialect: 'openai-chat',
    body: chat({
      content: 'So.',
      reasoning: 'Two ways.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Two ways.', index: 0 },
        { type: 'reasoning.encrypted', data: 'eA==', index: 1 },
      ],
    }),
    told: {
      visibility: 'visible',
      content: 'Two ways.',
      rawBlocks: [
        '{"type":"reasoning.text","text":"Two ways.","index":0}',
        '{"type":"reasoning.encrypted","data":"eA==","index":1}',
      ],
    },
  },
  {
    name: 'nowhere, and paid for',
    dialect: 'openai-chat',
    body: chat(
      { content: 'So.' },
      { prompt_tokens: 1, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 7 } },
    ),
    told: { visibility: 'opaque', reasoningTokens: 7, phases: [] },
  },
  { name: 'nowhere', dialect: 'openai-chat', body: chat({ content: 'So.' }), told: { visibility: 'none', phases: [] } },
  {
    name: 'in thinking blocks, between which it speaks',
    dialect: 'anthropic-messages',
    body: claude(thinking, text, { ...thinking, thinking: 'Wait.' }),
    told: {
      visibility: 'summarized',
      content: 'Two ways.\n\nWait.',
      interleaved: true,
      rawBlocks: [JSON.stringify(thinking), JSON.stringify({ ...thinking, thinking: 'Wait.' })],
    },
  },
  {
    name: 'in a redacted block',
    dialect: 'anthropic-messages',
    body: claude({ type: 'redacted_thinking', data: 'eA==' }, text),
    told: { visibility: 'opaque', interleaved: false, rawBlocks: ['{"type":"redacted_thinking","data":"eA=="}'] },
  },
  {
    name: 'in the summary of a reasoning item',
    dialect: 'openai-responses',
    body: responses(
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Two ways.' }],
        encrypted_content: 'eA==',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'So.' }] },
    ),
    told: { visibility: 'summarized', content: 'Two ways.', reasoningTokens: 7, interleaved: false },
  },
  {
    name: 'encrypted alone',
    dialect: 'openai-responses',
    body: responses({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'eA==' }),
    told: {
      visibility: 'opaque',
      rawBlocks: ['{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"eA=="}'],
    },
  },
  {
    name: 'in thoughts',
    dialect: 'gemini',
    body: gemini({ text: 'Two ways.', thought: true }, { text: 'So.', thoughtSignature: 'c2ln' }),
    told: {
      visibility: 'summarized',
      content: 'Two ways.',
      reasoningTokens: 5,
      interleaved: false,
      rawBlocks: ['{"text":"Two ways.","thought":true}', '{"text":"So.","thoughtSignature":"c2ln"}'],
    },
  },
]

const providerOf: Readonly<Record<string, string>> = { 'anthropic-messages': 'anthropic', 'gemini': 'google' }

describe('reasoningOf', () => {
  it.each(cases)('V-075, V-076: finds reasoning $name', ({ dialect, body, told }) => {
    const chain = reasoningOf({ dialect, body: JSON.stringify(body) })
    expect(chain).toMatchObject({ provider: providerOf[dialect] ?? 'openai', ...told })
    expect('content' in chain).toBe(told.content !== undefined)
  })

  it("V-075: keeps the provider's blocks to the byte", () => {
    const block = '{ "type":"thinking",  "thinking":"\\u0041", "signature":"a\\/b" }'
    const body = `{"type":"message","content":[${block}],"stop_reason":"end_turn"}`
    expect(reasoningOf({ dialect: 'anthropic-messages', body })).toMatchObject({ content: 'A', rawBlocks: [block] })
  })

  it('V-075: tells what each paragraph does, by its words', () => {
    const said = [
      'The file has two exports.',
      'Both are used.',
      'First I need to read the test.',
      'Wait, that is the wrong file.',
      'Perhaps it moved.',
      'The second one is better.',
      'Therefore the answer is 7.',
    ]
    const body = JSON.stringify(chat({ content: '', reasoning_content: said.join('\n\n') }))
    const { phases } = reasoningOf({ dialect: 'openai-chat', body })
    expect(phases.map(({ type }) => type)).toEqual([
      'analysis',
      'planning',
      'reflection',
      'uncertainty',
      'evaluation',
      'decision',
    ])
    expect(phases[0]).toEqual({ type: 'analysis', content: `${said[0]}\n\n${said[1]}` })
    expect(phases[1]?.confidence).toBe(1)
  })
})
