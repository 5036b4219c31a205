import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/index.ts'
import { simulatedProvider } from '../providers/index.ts'
import { codecFor, codecs } from './index.ts'

const folder = resolve(import.meta.dirname, 'fixtures/golden-requests')

const models: Readonly<Record<string, string>> = {
  'openai-chat': 'gpt-5.1',
  'openai-responses': 'gpt-5.1',
  'anthropic-messages': 'claude-sonnet-4-6',
  'gemini': 'gemini-2.5-pro',
}

/** Everything that all four have a word for, in OpenAI's. */
const asked = {
  max_completion_tokens: 500,
  tool_choice: 'auto',
  tools: [
    {
      type: 'function',
      function: {
        name: 'read',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    },
  ],
  messages: [
    { role: 'system', content: 'Answer in one line.' },
    { role: 'user', content: 'What is in a.txt?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Nothing.' },
    { role: 'assistant', content: 'It is empty.' },
    { role: 'user', content: 'And in b.txt?' },
  ],
}

it.each(codecs)(
  'G-059: a conversation is written in the dialect of its provider, who takes it: $dialect',
  async (codec) => {
    const from = codecFor('openai-chat')
    const { conversation } = from.decode({ body: JSON.stringify({ model: models[codec.dialect], ...asked }) })
    const { body, lost } = codec.write(conversation)
    const path = codec.pathTo(conversation)
    const golden = { path, lost, body: JSON.parse(body) as JsonObject }
    await expect(`${JSON.stringify(golden, null, 2)}\n`).toMatchFileSnapshot(resolve(folder, `${codec.dialect}.json`))
    const provider = simulatedProvider({ script: () => 'Nothing either.' })
    const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': 'k' }
    const reply = await provider.fetch(`http://provider${path}`, { method: 'POST', headers, body })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Nothing either.')])
  },
)
