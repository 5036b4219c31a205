import { describe, expect, it } from 'vitest'
import type { JsonObject, KnownDialect } from '../core/index.ts'
import { codecFor, crossRequest } from './index.ts'

const user = { role: 'user', content: 'go' }
const others = (own: KnownDialect): readonly KnownDialect[] =>
  (['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const).filter((name) => name !== own)

function crossed(from: KnownDialect, to: KnownDialect, body: JsonObject): { body: string; lost: readonly string[] } {
  const codec = codecFor(from)
  const { body: text, lost } = crossRequest(codec, codecFor(to), codec.decode({ body: JSON.stringify(body) }))
  return { body: text, lost: lost.map(({ kind }) => kind) }
}

const anthropic = (...blocks: readonly JsonObject[]): JsonObject => ({
  model: 'gpt-5.1',
  max_tokens: 9,
  messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'ok' }, ...blocks] }, user],
})

describe('words of blocks that only their provider reads', () => {
  it.each<[string, KnownDialect, JsonObject, string]>([
    [
      'a compaction',
      'anthropic-messages',
      anthropic({ type: 'compaction', content: 'Ada lies at dock A.' }),
      'Ada lies at dock A.',
    ],
    [
      'what a tool of the provider put out',
      'anthropic-messages',
      anthropic({
        type: 'bash_code_execution_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: { type: 'bash_code_execution_result', stdout: 'nine boats', stderr: '', return_code: 0 },
      }),
      'nine boats',
    ],
    [
      'what an MCP server said',
      'anthropic-messages',
      anthropic({
        type: 'mcp_tool_result',
        tool_use_id: 'm',
        is_error: false,
        content: [{ type: 'text', text: 'nine boats' }],
      }),
      'nine boats',
    ],
    [
      'what code put out',
      'gemini',
      {
        model: 'm',
        contents: [
          { role: 'user', parts: [{ text: 'go' }] },
          { role: 'model', parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'nine boats' } }] },
          { role: 'user', parts: [{ text: 'go' }] },
        ],
      },
      'nine boats',
    ],
    [
      'what a call of the provider found',
      'openai-responses',
      {
        model: 'm',
        input: [
          user,
          { type: 'mcp_call', id: 'm', name: 'f', server_label: 's', arguments: '{}', output: 'nine boats' },
          user,
        ],
      },
      'nine boats',
    ],
    [
      'a document of text',
      'anthropic-messages',
      {
        ...anthropic(),
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document',
                title: 'Timetable',
                source: { type: 'text', media_type: 'text/plain', data: 'nine boats' },
              },
            ],
          },
        ],
      },
      'Timetable\\n\\nnine boats',
    ],
    [
      'a document of blocks',
      'anthropic-messages',
      {
        ...anthropic(),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'nine boats' }] } },
            ],
          },
        ],
      },
      'nine boats',
    ],
  ])('%s cross to every other dialect', (_, from, body, words) => {
    for (const to of others(from)) {
      const { body: there, lost } = crossed(from, to, body)
      expect(there).toContain(words)
      expect(lost).not.toContain('opaque')
    }
    // In its own dialect it is what it was.
    const codec = codecFor(from)
    const exchange = codec.decode({ body: JSON.stringify(body) })
    expect(codec.encode(exchange, {})).toBe(JSON.stringify(body))
  })

  it('a compaction is of the user where nobody knows its form', () => {
    const { messages } = JSON.parse(
      crossed('anthropic-messages', 'openai-chat', anthropic({ type: 'compaction', content: 'Ada.' })).body,
    )
    expect(messages.at(-2)).toMatchObject({ role: 'user', content: expect.stringContaining('Ada.') })
  })

  it.each([
    ['compaction', { type: 'compaction', encrypted_content: 'gAAA' }],
    ['compaction_trigger', { type: 'compaction_trigger' }],
  ])('%s is asked of its own provider alone', (type, item) => {
    for (const to of others('openai-responses'))
      expect(() => crossed('openai-responses', to, { model: 'm', input: [user, item] })).toThrow(`input (${type})`)
  })
})
