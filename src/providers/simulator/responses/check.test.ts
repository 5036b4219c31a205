import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { simulatedProvider } from '../simulated-provider.ts'

const user = { role: 'user' as const, content: 'go' }
const call = { type: 'function_call' as const, call_id: 'c', name: 'read', arguments: '{}' }
const result = { type: 'function_call_output' as const, call_id: 'c', output: 'text' }
const reasoning = { type: 'reasoning' as const, id: 'rs_1', summary: [], encrypted_content: 'x' }

type Asked = OpenAI.Responses.ResponseCreateParamsNonStreaming

function ask(body: Partial<Asked>): Promise<OpenAI.Responses.Response> {
  const { fetch } = simulatedProvider({ script: ['done'] })
  const client = new OpenAI({ baseURL: 'http://simulated/v1', apiKey: 'key', maxRetries: 0, fetch })
  return client.responses.create({ model: 'gpt-5.1', ...body })
}

describe('the simulated Responses', () => {
  it('answers what the provider answers', async () => {
    const image = { type: 'input_image' as const, image_url: 'https://a/b.png', detail: 'auto' as const }
    const input = [{ role: 'user' as const, content: [image] }, reasoning, call, result]
    const response = await ask({ instructions: 'law', input, max_output_tokens: 16, store: false })
    expect([response.output_text, response.status]).toEqual(['done', 'completed'])
    expect(response.usage?.input_tokens).toBeGreaterThan(1000)
  })

  it('takes an empty list of tools', async () => {
    const { output_text: said } = await ask({ input: 'go', tools: [] })
    expect(said).toBe('done')
  })

  it('is cut off where it is', async () => {
    const { fetch } = simulatedProvider({ script: ['word '.repeat(99)] })
    const client = new OpenAI({ baseURL: 'http://simulated/v1', apiKey: 'key', fetch })
    const response = await client.responses.create({ model: 'gpt-4o', input: 'go', max_output_tokens: 16 })
    expect([response.status, response.incomplete_details]).toEqual(['incomplete', { reason: 'max_output_tokens' }])
  })

  it.each<[Partial<Asked>, RegExp]>([
    [{}, /Missing required parameter: 'input'/],
    [{ input: [result] }, /No tool call found for function call output with call_id c/],
    [{ input: [user, call] }, /No tool output found for function call c/],
    [{ input: [user, reasoning] }, /'rs_1' of type 'reasoning' was provided without its required following item/],
    [{ input: [reasoning, user] }, /without its required following item/],
    [{ input: 'go', max_output_tokens: 9 }, /Expected a value >= 16/],
    [{ input: 'go', previous_response_id: 'resp_1' }, /'resp_1' not found/],
  ])('refuses %j', async (body, message) => {
    await expect(ask(body)).rejects.toThrow(message)
    await expect(ask(body)).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' })
  })

  it('keeps what it has said, and all that led to it, unless it is asked not to', async () => {
    const script = [{ parts: [{ type: 'tool-call' as const, name: 'read', arguments: {} }] }, 'done', 'kept no more']
    const provider = simulatedProvider({ script })
    const client = new OpenAI({ baseURL: 'http://simulated/v1', apiKey: 'key', maxRetries: 0, fetch: provider.fetch })
    const { responses } = client
    const tools = [{ type: 'function' as const, name: 'read', parameters: {}, strict: false }]
    const first = await responses.create({ model: 'gpt-5.1', input: 'go', tools })
    const asked = { model: 'gpt-5.1', tools, previous_response_id: first.id }
    await expect(responses.create({ ...asked, input: 'And?' })).rejects.toThrow(
      /No tool output found for function call/,
    )
    const [called] = first.output
    const output = { ...result, call_id: called?.type === 'function_call' ? called.call_id : '' }
    const second = await responses.create({ ...asked, input: [output] })
    expect([second.output_text, second.previous_response_id]).toEqual(['done', first.id])
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0)
    const third = await responses.create({ ...asked, previous_response_id: second.id, input: 'More.', store: false })
    const fourth = responses.create({ ...asked, previous_response_id: third.id, input: 'More.' })
    await expect(fourth).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
    const other = new OpenAI({ baseURL: 'http://simulated/v1', apiKey: 'other', maxRetries: 0, fetch: provider.fetch })
    await expect(other.responses.create({ ...asked, input: [output] })).rejects.toMatchObject({ status: 400 })
  })
})
