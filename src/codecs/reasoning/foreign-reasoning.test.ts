import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/index.ts'
import { codecFor } from '../index.ts'
import { unknownReasoning } from './foreign-reasoning.ts'
import { ownerMark } from './owner.ts'

type Known = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

const user = { role: 'user', content: 'go' }
const thought = (signature: string): JsonObject => ({ type: 'thinking', thinking: 'hm', signature })
const use = { type: 'tool_use', id: 'a', name: 'f', input: {} }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] }
const anthropic = (signature: string): JsonObject => ({
  model: 'claude-sonnet-4-5',
  thinking: { type: 'enabled', budget_tokens: 1024 },
  messages: [user, { role: 'assistant', content: [thought(signature), use] }, result],
})
const responses = (sealed: string): JsonObject => ({
  model: 'gpt-5.1',
  input: [
    user,
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed },
    { role: 'assistant', content: 'ok' },
  ],
})
const chat: JsonObject = {
  model: 'glm-4.6',
  messages: [user, { role: 'assistant', content: 'ok', reasoning_content: 'hm' }],
}

function left(dialect: Known, body: JsonObject, how: { model?: string; standsIn?: boolean } = {}): JsonObject {
  const text = JSON.stringify(body)
  const { body: own, left: count } = codecFor(dialect).leaveReasoning!(text, {
    model: 'claude-sonnet-4-5',
    standsIn: false,
    ...how,
  })
  expect(own === text).toBe(count === 0)
  return JSON.parse(own) as JsonObject
}

describe('reasoning goes to its owner alone', () => {
  it.each<[string, Known, JsonObject, { model?: string; standsIn?: boolean }]>([
    ['what Claude has signed', 'anthropic-messages', anthropic('c2lnbmVk'), {}],
    [
      'what nobody has signed, for a server that does not sign',
      'anthropic-messages',
      anthropic(''),
      { model: 'glm-4.6' },
    ],
    ['what a mark of ours calls its own', 'anthropic-messages', anthropic(ownerMark('glm-4.6')), { model: 'glm-5' }],
    ['what OpenAI has sealed', 'openai-responses', responses('gAAA'), { model: 'gpt-5.1' }],
    ['plain reasoning', 'openai-chat', chat, { model: 'glm-4.6' }],
    [
      'plain reasoning, for a stand-in that refuses calls without it',
      'openai-chat',
      chat,
      { model: 'deepseek-reasoner', standsIn: true },
    ],
  ])('%s stays: %s', (_, dialect, body, how) => {
    expect(left(dialect, body, how)).toEqual(body)
  })

  it.each<[string, JsonObject, boolean]>([
    ['an empty signature', anthropic(''), false],
    ['a mark of ours', anthropic(ownerMark('deepseek-reasoner')), false],
    ['a signature of the one that it stands in for', anthropic('glm_1'), true],
  ])(
    'Claude gets no thinking with %s, and goes on without thinking where the turn would have to begin with it',
    (_, body, standsIn) => {
      expect(left('anthropic-messages', body, { standsIn })).toEqual({
        model: 'claude-sonnet-4-5',
        messages: [user, { role: 'assistant', content: [use] }, result],
      })
    },
  )

  it('a message that was thinking alone goes; thinking stays on where the turn is over', () => {
    const messages = [
      user,
      { role: 'assistant', content: [thought('')] },
      user,
      { role: 'assistant', content: 'ok' },
      user,
    ]
    const { thinking, ...rest } = anthropic('')
    const own = left('anthropic-messages', { ...rest, thinking: thinking!, messages })
    expect(own).toEqual({ ...rest, thinking, messages: [user, user, { role: 'assistant', content: 'ok' }, user] })
  })

  it('a stand-in gets nothing that is sealed, and OpenAI no mark of ours', () => {
    for (const [sealed, standsIn] of [
      ['gAAA', true],
      [ownerMark('glm-4.6'), false],
    ] as const) {
      const own = left('openai-responses', responses(sealed), { model: 'grok-4', standsIn })
      expect(own['input']).toEqual([user, { role: 'assistant', content: 'ok' }])
    }
    const { messages } = left('openai-chat', chat, { model: 'gpt-5.1', standsIn: true })
    expect(messages).toEqual([user, { role: 'assistant', content: 'ok' }])
  })
})

describe('reasoning that a client brings back in its own form', () => {
  const forms: readonly [Known, (owner: string) => JsonObject][] = [
    [
      'anthropic-messages',
      (owner) => ({ max_tokens: 9, messages: [user, { role: 'assistant', content: [thought(owner), use] }, result] }),
    ],
    [
      'openai-responses',
      (owner) => ({
        input: [
          user,
          {
            type: 'reasoning',
            id: 'rs',
            summary: [{ type: 'summary_text', text: 'hm' }],
            ...(owner && { encrypted_content: owner }),
          },
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'a', output: 'ok' },
        ],
      }),
    ],
  ]

  it.each(forms)('stands beside the call where the model wants it back, and is no others’: %s', (dialect, form) => {
    const to = (model: string, owner: string): JsonObject => {
      const from = codecFor(dialect)
      const { conversation } = from.decode({ body: JSON.stringify({ model, ...form(owner) }) })
      const { messages } = JSON.parse(codecFor('openai-chat').write(conversation).body) as { messages: JsonObject[] }
      return messages[1]!
    }
    expect(to('deepseek-reasoner', '')['reasoning_content']).toBe('hm')
    expect(to('deepseek-reasoner', ownerMark('deepseek-chat'))['reasoning_content']).toBe('hm')
    expect(to('deepseek-reasoner', ownerMark('kimi-k2'))['reasoning_content']).toBe(unknownReasoning)
    expect(to('deepseek-reasoner', 'c2lnbmVk')['reasoning_content']).toBe(unknownReasoning)
    expect(to('gpt-5.1', '')['reasoning_content']).toBeUndefined()
  })

  it.each(['anthropic-messages', 'openai-responses'] as const)(
    'is told with its owner, streamed and not: %s',
    (dialect) => {
      const { replyWriter: writer } = codecFor(dialect)
      const frame = { id: 'r', model: 'deepseek-reasoner', createdMs: 0 }
      const said = { text: '', reasoning: 'hm', calls: [], reason: 'end', lost: [] } as const
      expect(writer.whole(said, frame)).toContain(JSON.stringify(ownerMark('deepseek-reasoner')))
      let state = writer.begin(frame)
      const data = [
        { kind: 'begin', model: 'm' },
        { kind: 'reasoning', text: 'hm' },
        { kind: 'end', reason: 'end' },
      ] as const
      const events = data.flatMap((event) => {
        const step = writer.step(state, event)
        state = step.state
        return step.events
      })
      expect(events.map((event) => event.data).join('')).toContain(JSON.stringify(ownerMark('deepseek-reasoner')))
    },
  )
})
