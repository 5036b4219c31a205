import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { simulatedProvider } from './simulated-provider.ts'
import type { SimulatedProviderOptions } from './simulated-provider.ts'

const host = 'http://simulated'

function clients(options: SimulatedProviderOptions = { strict: false }) {
  const { fetch } = simulatedProvider(options)
  const common = { apiKey: 'key', maxRetries: 0, fetch }
  return {
    openai: new OpenAI({ ...common, baseURL: `${host}/v1` }),
    anthropic: new Anthropic({ ...common, baseURL: host }),
  }
}

const messages = [{ role: 'user' as const, content: 'Hello' }]

describe('the simulated provider where it is not strict', () => {
  it.each([
    { model: 'my-own-model' },
    { model: 'claude-sonnet-4-5' },
    { model: 'gpt-5.1', max_tokens: 32_000, temperature: 0.3 },
    { model: 'gpt-4o', max_tokens: 2_000_000, n: 2_000 },
    { model: 'gpt-4o', tomorrow: true, stream_options: {} },
  ])('OpenAI: takes any model and any parameter: %j', async (asked) => {
    const { choices } = await clients().openai.chat.completions.create({ ...asked, messages, stream: false })
    expect(choices[0]!.message.content).toBe('You said: Hello')
    const strict = clients({}).openai.chat.completions.create({ ...asked, messages, stream: false })
    await expect(strict).rejects.toMatchObject({ message: expect.not.stringContaining('simulated') })
  })

  it.each([
    { model: 'glm-4.7', max_tokens: 100 },
    { model: 'claude-sonnet-5-5', max_tokens: 100, temperature: 0.3 },
    { model: 'claude-sonnet-5-5', max_tokens: 100, tomorrow: true },
  ])('Anthropic: takes any model and any parameter: %j', async (asked) => {
    const { content } = await clients().anthropic.messages.create({ ...asked, messages, stream: false })
    expect(content).toMatchObject([{ text: 'You said: Hello' }])
    const strict = clients({}).anthropic.messages.create({ ...asked, messages, stream: false })
    await expect(strict).rejects.toMatchObject({ message: expect.not.stringContaining('simulated') })
  })

  it('says in errors what it is, also in the middle of a stream', async () => {
    const script = [
      { fault: { kind: 'error', status: 429 } },
      { text: 'one two three', fault: { kind: 'stream-error', afterChunks: 2 } },
    ] as const
    const { openai } = clients({ strict: false, script })
    const said = expect.stringContaining('(simulated provider) ')
    const asked = { model: 'gpt-4o', messages }
    await expect(openai.chat.completions.create(asked)).rejects.toMatchObject({ status: 429, message: said })
    await expect(openai.chat.completions.stream(asked).finalMessage()).rejects.toMatchObject({ message: said })
    await expect(openai.chat.completions.create({ ...asked, messages: [] })).rejects.toMatchObject({ message: said })
  })

  it('says in the list of models what it is', async () => {
    const { openai, anthropic } = clients()
    for (const { owned_by: owner } of (await openai.models.list()).data) expect(owner).toBe('simulated provider')
    expect((await anthropic.models.retrieve('anything')).display_name).toBe('anything (simulated provider)')
    expect((await clients({}).openai.models.retrieve('gpt-4o')).owned_by).toBe('openai')
  })

  it('says in a header of every answer what it is, strict or not', async () => {
    for (const strict of [true, false]) {
      const { fetch } = simulatedProvider({ strict })
      for (const path of ['/v1/models', '/v1/nowhere'])
        expect((await fetch(host + path, { headers: { 'x-api-key': 'k' } })).headers.get('x-prehend-simulated')).toBe(
          'true',
        )
    }
  })
})
