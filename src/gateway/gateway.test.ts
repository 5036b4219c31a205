import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { closeTestGateways, longResult, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'read',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
  },
]

function conversation(results: number): OpenAI.ChatCompletionMessageParam[] {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Find the value.' },
  ]
  for (let number = 1; number <= results; number += 1) {
    const id = `call_${number}`
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"f${number}"}` } }],
    })
    messages.push({ role: 'tool', tool_call_id: id, content: longResult(number) })
  }
  return messages
}

describe('probe', () => {
  it('folds', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { policy: 'thrifty' } })
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'x', maxRetries: 0 })
    for (let n = 1; n < 14; n += 1) {
      const { response } = await client.chat.completions
        .create({ model: 'gpt-5.1', tools, messages: conversation(n) })
        .withResponse()
      console.log(
        n,
        response.headers.get('x-prehend-cache'),
        response.headers.get('x-prehend-saved-tokens'),
        gateway.provider.requests.at(-1)?.body.length,
        response.headers.get('x-prehend-overhead-ms'),
      )
      if (n === 9) gateway.pass(3_600_000)
    }
    console.log(gateway.provider.requests.at(-1)?.body.slice(0, 3000))
  })
})
