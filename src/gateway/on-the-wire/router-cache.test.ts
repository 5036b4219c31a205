import { afterEach, describe, expect, it } from 'vitest'
import { rawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import { openaiFixture } from './test-gateway.fixture.ts'

afterEach(closeSocketGateways)

type Part = Record<string, unknown>

/** What OpenRouter gets of a request in OpenAI's dialect. */
async function sentFor(model: string, more: Record<string, unknown> = {}): Promise<readonly Part[]> {
  const gateway = await socketGateway({ providers: ['openrouter'] })
  const { path, headers, body } = openaiFixture
  const request = { ...body(4, { model }), ...more }
  await rawRequest(gateway.url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(request),
  })
  const [arrived] = gateway.arrived
  const { messages } = JSON.parse(arrived!.body.toString()) as { messages: { content: unknown }[] }
  return messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Part[]) : []))
}

describe('a router of many models', () => {
  it("C-011: gets Anthropic's cache_control for Anthropic's models, at the end among other places", async () => {
    const parts = await sentFor('anthropic/claude-sonnet-4.6')
    const marked = parts.filter((part) => part['cache_control'] !== undefined)
    expect(marked.length).toBeGreaterThan(1)
    expect(marked.length).toBeLessThanOrEqual(4)
    expect(parts.at(-1)).toMatchObject({ type: 'text', cache_control: { type: 'ephemeral' } })
    expect(JSON.stringify(parts)).not.toContain('prompt_cache_breakpoint')
  })

  it("C-011: gets the same for Alibaba's, which are cached in no other way there", async () => {
    const parts = await sentFor('qwen/qwen3.7-plus')
    expect(parts.at(-1)).toMatchObject({ type: 'text', cache_control: { type: 'ephemeral' } })
  })

  it.each([
    'x-ai/grok-4.6',
    'qwen/qwen3-32b',
    'meta-llama/llama-3.3-70b-instruct',
    'openai/gpt-5.1',
    'deepseek/deepseek-v4-pro',
  ])('C-011: gets none for others: %s', async (model) => {
    expect(JSON.stringify(await sentFor(model))).not.toMatch(/cache_control|prompt_cache_breakpoint/)
  })

  it("leaves a caller's own markers as they are", async () => {
    const content = [{ type: 'text', text: 'Find the value. '.repeat(500), cache_control: { type: 'ephemeral' } }]
    const parts = await sentFor('anthropic/claude-sonnet-4.6', { messages: [{ role: 'user', content }] })
    expect(parts).toEqual(content)
  })
})
