import { describe, expect, it } from 'vitest'
import type { JsonObject, KnownDialect, Loss, ReasoningWish } from '../../core/index.ts'
import { codecFor, codecs, crossRequest } from '../index.ts'

const messages = [{ role: 'user', content: 'go' }]
const bodies: Readonly<Record<KnownDialect, (members: JsonObject) => JsonObject>> = {
  'openai-chat': (members) => ({ model: 'm', messages, ...members }),
  'openai-responses': (members) => ({ model: 'm', input: 'go', ...members }),
  'anthropic-messages': (members) => ({ model: 'm', max_tokens: 9, messages, ...members }),
  'gemini': (members) => ({ contents: [{ parts: [{ text: 'go' }] }], ...members }),
}

function decoded(dialect: KnownDialect, members: JsonObject) {
  const path = dialect === 'gemini' ? { path: '/v1beta/models/m:generateContent' } : {}
  return codecFor(dialect).decode({ ...path, body: JSON.stringify(bodies[dialect](members)) })
}

const thinking = (config: JsonObject): JsonObject => ({ generationConfig: { thinkingConfig: config } })

describe('how much a model is to think', () => {
  const read: readonly (readonly [KnownDialect, JsonObject, ReasoningWish | undefined])[] = [
    ['openai-chat', { reasoning_effort: 'xhigh' }, { effort: 'xhigh' }],
    ['openai-chat', { reasoning: { effort: 'low' } }, { effort: 'low' }],
    ['openai-chat', { reasoning: { max_tokens: 9000 } }, { effort: 'medium', tokens: 9000 }],
    ['openai-chat', { reasoning_effort: 'some' }, undefined],
    ['openai-responses', { reasoning: { effort: 'none', summary: 'auto' } }, { effort: 'none' }],
    ['openai-responses', { reasoning: { summary: 'auto' } }, undefined],
    [
      'anthropic-messages',
      { thinking: { type: 'enabled', budget_tokens: 31_999 } },
      { effort: 'high', tokens: 31_999 },
    ],
    [
      'anthropic-messages',
      { thinking: { type: 'enabled', budget_tokens: 60_000 } },
      { effort: 'xhigh', tokens: 60_000 },
    ],
    ['anthropic-messages', { thinking: { type: 'adaptive' } }, { effort: 'auto' }],
    ['anthropic-messages', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, { effort: 'max' }],
    ['anthropic-messages', { thinking: { type: 'disabled' } }, { effort: 'none' }],
    ['anthropic-messages', { output_config: { effort: 'low' } }, { effort: 'low' }],
    ['anthropic-messages', { thinking: { type: 'between_tools' } }, undefined],
    ['gemini', thinking({ thinkingLevel: 'MINIMAL' }), { effort: 'minimal' }],
    [
      'gemini',
      { generation_config: { thinking_config: { thinking_budget: 500 } } },
      { effort: 'minimal', tokens: 500 },
    ],
    ['gemini', thinking({ thinkingBudget: 0 }), { effort: 'none' }],
    ['gemini', thinking({ thinkingBudget: -1 }), { effort: 'auto' }],
  ]

  it.each(read)('%s says %j', (dialect, members, wish) => {
    expect(decoded(dialect, members).conversation.sampling.reasoning).toEqual(wish)
  })

  it('is named as it stands where nobody knows the word', () => {
    const names = (dialect: KnownDialect, to: KnownDialect, members: JsonObject): readonly string[] =>
      crossRequest(codecFor(dialect), codecFor(to), decoded(dialect, members)).lost.map(({ what }) => what)
    expect(names('openai-chat', 'gemini', { reasoning_effort: 'some' })).toEqual(['reasoning_effort'])
    expect(names('anthropic-messages', 'openai-chat', { thinking: { type: 'between_tools' } })).toEqual(['thinking'])
    const summary = { thinking: { type: 'adaptive', display: 'omitted' } }
    expect(names('anthropic-messages', 'openai-chat', summary)).toEqual(['thinking.display'])
  })
})

interface Told {
  readonly json: JsonObject
  readonly lost: readonly Loss[]
}

function told(dialect: KnownDialect, model: string, reasoning: ReasoningWish, more: JsonObject = {}): Told {
  const { conversation } = decoded('openai-chat', more)
  const sampling = { ...conversation.sampling, reasoning }
  const { body, lost } = codecFor(dialect).write({ ...conversation, model, sampling })
  return { json: JSON.parse(body), lost }
}

const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]

describe('what is written of it', () => {
  it('is the same word where the model has it, and nothing is lost', () => {
    expect(told('openai-chat', 'openai/gpt-5.1', { effort: 'high' })).toMatchObject({
      json: { reasoning_effort: 'high' },
      lost: [],
    })
    expect(told('openai-responses', 'gpt-5', { effort: 'minimal' })).toMatchObject({
      json: { reasoning: { effort: 'minimal' } },
      lost: [],
    })
    const opus = told('anthropic-messages', 'claude-opus-4-8', { effort: 'xhigh' })
    expect(opus).toMatchObject({
      json: { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
      lost: [],
    })
    expect(told('gemini', 'gemini-3.5-flash', { effort: 'medium' })).toMatchObject({
      json: { generationConfig: { thinkingConfig: { thinkingLevel: 'MEDIUM' } } },
      lost: [],
    })
  })

  it('is the same number where both count tokens', () => {
    const wish = { effort: 'medium', tokens: 9000 } as const
    expect(told('gemini', 'gemini-2.5-pro', wish)).toMatchObject({
      json: { generationConfig: { thinkingConfig: { thinkingBudget: 9000 } } },
      lost: [],
    })
    expect(told('anthropic-messages', 'claude-sonnet-4-5', wish)).toMatchObject({
      json: { thinking: { type: 'enabled', budget_tokens: 9000 }, max_tokens: 4096 + 9000 },
      lost: [],
    })
  })

  it('is the next weaker word, or some where there is no weaker one, and said', () => {
    const weaker = told('openai-chat', 'gpt-5.1', { effort: 'max' })
    expect(weaker.json['reasoning_effort']).toBe('high')
    expect(weaker.lost).toMatchObject([{ kind: 'sampling', what: 'reasoning', why: '"max" is "high" here' }])
    const least = told('openai-chat', 'o3', { effort: 'none' })
    expect([least.json['reasoning_effort'], least.lost.length]).toEqual(['low', 1])
    expect(told('openai-chat', 'gpt-5.1', { effort: 'minimal' }).json['reasoning_effort']).toBe('low')
  })

  it('is about so many tokens, within what the model takes', () => {
    const high = told('gemini', 'gemini-2.5-flash', { effort: 'max' })
    expect(high.json).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } })
    expect(high.lost).toHaveLength(1)
    const off = told('gemini', 'gemini-2.5-flash', { effort: 'none' })
    expect(off.json).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } })
    expect(off.lost).toEqual([])
    const short = told('anthropic-messages', 'claude-sonnet-4-5', { effort: 'high' }, { max_tokens: 5000 })
    expect(short.json).toMatchObject({ thinking: { budget_tokens: 4999 }, max_tokens: 5000 })
  })

  it.each([
    ['openai-chat', 'gpt-4.1', {}],
    ['openai-chat', 'deepseek-v4-pro', {}],
    ['openai-chat', 'gpt-5-chat-latest', {}],
    ['gemini', 'gemini-2.0-flash', {}],
    ['anthropic-messages', 'claude-3-5-haiku-20241022', {}],
    ['anthropic-messages', 'claude-sonnet-4-5-20250929', { tools }],
    ['anthropic-messages', 'claude-sonnet-4-20250514', { temperature: 0.2 }],
    ['anthropic-messages', 'claude-opus-4-1', { max_tokens: 1000 }],
  ] as const)('is nothing to %s for %s, %j, and said', (dialect, model, more) => {
    const { json, lost } = told(dialect, model, { effort: 'high' }, more)
    expect(JSON.stringify(json)).not.toMatch(/effort|[tT]hinking/)
    expect(lost.filter(({ what }) => what === 'reasoning')).toHaveLength(1)
  })

  it('is off where it can be, and little where it cannot', () => {
    expect(told('anthropic-messages', 'claude-opus-5', { effort: 'none' })).toMatchObject({
      json: { thinking: { type: 'disabled' } },
      lost: [],
    })
    const always = told('anthropic-messages', 'claude-fable-5', { effort: 'none' })
    expect(always.json).toMatchObject({ output_config: { effort: 'low' } })
    expect(always.json['thinking']).toBeUndefined()
    expect(always.lost).toHaveLength(1)
  })

  it('is left to the model where that was said', () => {
    for (const { dialect } of codecs) {
      const { lost } = told(dialect as KnownDialect, 'some-model', { effort: 'auto' })
      expect(lost).toEqual([])
    }
    expect(told('anthropic-messages', 'claude-sonnet-4-6', { effort: 'auto' }).json['thinking']).toEqual({
      type: 'adaptive',
    })
  })

  it('stands beside a schema, and in place of a temperature that the model refuses', () => {
    const more = {
      temperature: 0.5,
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
    }
    const { json, lost } = told('anthropic-messages', 'claude-opus-5', { effort: 'low' }, more)
    expect(json['output_config']).toEqual({
      format: { type: 'json_schema', schema: { type: 'object' } },
      effort: 'low',
    })
    expect(json['temperature']).toBeUndefined()
    expect(lost).toMatchObject([{ what: 'temperature', why: 'the model refuses it' }])
    const kept = told('anthropic-messages', 'claude-sonnet-4-6', { effort: 'low' }, { temperature: 0.5 })
    expect(kept.json).toMatchObject({ temperature: 0.5, output_config: { effort: 'low' } })
    expect(kept.json['thinking']).toBeUndefined()
    expect(kept.lost).toHaveLength(1)
  })
})
