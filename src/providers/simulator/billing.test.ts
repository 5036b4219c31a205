import { describe, expect, it } from 'vitest'
import { manualClock } from './clock.ts'
import type { SimulatedProviderOptions } from './simulated-provider.ts'
import { simulatedProvider } from './simulated-provider.ts'

const marker = { type: 'ephemeral' }
const long = (name: string, words = 1500) => `${name} ${'context '.repeat(words)}`
const text = (value: string, rest: object = {}) => ({ type: 'text', text: value, ...rest })

interface AnthropicUsage {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number }
}

function anthropic(options: SimulatedProviderOptions = {}) {
  const clock = manualClock()
  const provider = simulatedProvider({ clock, ...options })
  const post = async (body: object, headers: object = {}) => {
    const response = await provider.fetch('http://a/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', ...headers },
      body: JSON.stringify({ model: 'claude-opus-5', max_tokens: 50, ...body }),
    })
    return (await response.json()) as {
      id: string
      usage: AnthropicUsage
      diagnostics: unknown
      stop_reason: string
      content: unknown[]
    }
  }
  return { clock, provider, post }
}

describe('billing of the simulated Messages API (spec 1.2 to 1.5)', () => {
  const system = [text(long('rules'), { cache_control: marker })]
  const ask = (question: string) => ({ system, messages: [{ role: 'user', content: question }] })

  it('splits input into plain, written and read', async () => {
    const { post } = anthropic()
    const first = (await post(ask('one'))).usage
    const second = (await post(ask('another question'))).usage
    expect(first.cache_read_input_tokens).toBe(0)
    expect(first.cache_creation.ephemeral_5m_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(first.cache_creation_input_tokens).toBeGreaterThan(1500)
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(second.cache_creation_input_tokens).toBe(0)
    expect(second.input_tokens).toBeGreaterThan(first.input_tokens)
  })

  it('bills a one-hour prefix and a five-minute tail apart', async () => {
    const { post, clock } = anthropic()
    const body = {
      system: [text(long('rules'), { cache_control: { type: 'ephemeral', ttl: '1h' } })],
      messages: [{ role: 'user', content: [text(long('question'), { cache_control: marker })] }],
    }
    const { usage } = await post(body)
    expect(usage.cache_creation.ephemeral_1h_input_tokens).toBeGreaterThan(1500)
    expect(usage.cache_creation.ephemeral_5m_input_tokens).toBeGreaterThan(1500)
    await clock.advance(300_001)
    const later = (await post(body)).usage
    expect(later.cache_read_input_tokens).toBe(usage.cache_creation.ephemeral_1h_input_tokens)
    expect(later.cache_creation.ephemeral_5m_input_tokens).toBe(usage.cache_creation.ephemeral_5m_input_tokens)
  })

  it('lets nobody read before the first byte of the answer that wrote', async () => {
    const { post, clock } = anthropic({ firstByteMs: 2000 })
    const both = [post(ask('one')), clock.advance(1000).then(() => post(ask('two')))]
    await clock.advance(5000)
    await clock.advance(5000)
    const [one, two] = (await Promise.all(both)).map(({ usage }) => usage)
    expect(two!.cache_creation_input_tokens).toBe(one!.cache_creation_input_tokens)
    const third = post(ask('three'))
    await clock.advance(2000)
    expect((await third).usage.cache_read_input_tokens).toBe(one!.cache_creation_input_tokens)
  })

  it('keeps workspaces and models apart', async () => {
    const { post } = anthropic()
    await post(ask('one'))
    expect((await post(ask('one'), { 'x-api-key': 'other' })).usage.cache_read_input_tokens).toBe(0)
    expect((await post({ ...ask('one'), model: 'claude-opus-4-8' })).usage.cache_read_input_tokens).toBe(0)
    expect((await post(ask('one'))).usage.cache_read_input_tokens).toBeGreaterThan(0)
  })

  it('marks the last block by itself when the whole request is marked', async () => {
    const { post } = anthropic()
    const turns = [{ role: 'user', content: long('one') }]
    const first = (await post({ cache_control: marker, messages: turns })).usage
    const more = [...turns, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'two' }]
    const second = (await post({ cache_control: marker, messages: more })).usage
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(second.cache_creation_input_tokens).toBeGreaterThan(0)
  })

  it('marks results of server tools once anything is marked', async () => {
    const { post } = anthropic()
    const searched = {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [{ type: 'web_search_result', title: long('page') }],
        },
        text('So it is.'),
      ],
    }
    const messages = [{ role: 'user', content: 'search' }, searched, { role: 'user', content: 'go on' }]
    const unmarked = (await post({ messages })).usage
    const marked = (await post({ system, messages })).usage
    expect(unmarked.cache_creation_input_tokens).toBe(0)
    expect(marked.cache_creation.ephemeral_5m_input_tokens).toBeGreaterThan(3500)
  })

  it('fills the cache and says nothing with max_tokens 0', async () => {
    const { post } = anthropic()
    const filled = await post({ ...ask('warm up'), max_tokens: 0 })
    expect(filled).toMatchObject({ content: [], stop_reason: 'max_tokens', usage: { output_tokens: 0 } })
    expect((await post(ask('one'))).usage.cache_read_input_tokens).toBe(filled.usage.cache_creation_input_tokens)
  })

  it('knows how a thinking block is to be billed even when its text is withheld', async () => {
    const thinking = 'a long thought '.repeat(200)
    const { post } = anthropic({ script: [{ thinking, text: 'Yes.' }] })
    const first = await post({ max_tokens: 4000, messages: [{ role: 'user', content: 'hi' }] })
    const next = {
      max_tokens: 10,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: first.content },
        { role: 'user', content: 'so' },
      ],
    }
    expect((await post(next)).usage.input_tokens).toBeGreaterThan(600)
  })

  it('drops the thinking of finished turns on models that do not keep it, which breaks the cache there', async () => {
    const thinking = 'a long thought '.repeat(200)
    const haiku = { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4000 }
    const { post } = anthropic({ script: [{ thinking, text: 'Yes.' }] })
    const one = { role: 'user', content: [text(long('one', 5000), { cache_control: marker })] }
    const first = await post({ ...haiku, messages: [one] })
    const kept = [one, { role: 'assistant', content: first.content }, { role: 'user', content: 'so' }]
    const { usage } = await post({ ...haiku, messages: kept })
    expect(usage.input_tokens).toBeLessThan(50)
    expect(usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens)
  })
})

describe('what breaks the cache (spec 1.3)', () => {
  const tool = (name: string) => ({
    name,
    description: long(name),
    input_schema: { type: 'object' },
    cache_control: marker,
  })
  const body = {
    tools: [tool('look')],
    system: [text(long('rules'), { cache_control: marker })],
    messages: [
      { role: 'user', content: [text(long('question'), { cache_control: marker })] },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'go on' },
    ],
  }
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

  const changes: readonly (readonly [string, object, 0 | 1 | 2 | 3])[] = [
    ['nothing', {}, 3],
    ['a tool definition', { tools: [tool('see')] }, 0],
    ['the system text', { system: [text(long('other'), { cache_control: marker })] }, 1],
    ['web search', { tools: [...body.tools, { type: 'web_search_20250305', name: 'web_search' }] }, 1],
    ['the speed', { speed: 'fast' }, 1],
    ['the tool choice', { tool_choice: { type: 'any' } }, 2],
    ['an image', { messages: [...body.messages.slice(0, 2), { role: 'user', content: [image] }] }, 2],
    ['the effort', { output_config: { effort: 'low' } }, 2],
    ['the default effort, said explicitly', { output_config: { effort: 'high' } }, 3],
    ['the default thinking, said explicitly', { thinking: { type: 'adaptive' } }, 3],
    ['thinking switched off', { thinking: { type: 'disabled' } }, 2],
    ['the last message', { messages: [...body.messages.slice(0, 2), { role: 'user', content: 'stop' }] }, 3],
  ]

  it.each(changes)('%s leaves what stands before it', async (_, change, tiers) => {
    const { post } = anthropic()
    const { usage } = await post(body)
    const read = (await post({ ...body, ...change })).usage.cache_read_input_tokens
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(6000)
    expect(Math.round((3 * read) / usage.cache_creation_input_tokens)).toBe(tiers)
    if (tiers === 0 || tiers === 3) expect(read).toBe((tiers / 3) * usage.cache_creation_input_tokens)
  })

  it('is told to those who ask for a diagnosis', async () => {
    const { post } = anthropic()
    const first = await post({ ...body, diagnostics: {} })
    expect(first.diagnostics).toEqual({ cache_miss_reason: null })
    const after = async (change: object) =>
      (await post({ ...body, ...change, diagnostics: { previous_message_id: first.id } })).diagnostics
    expect(await after({})).toEqual({ cache_miss_reason: null })
    expect(await after({ system: 'short' })).toMatchObject({ cache_miss_reason: { type: 'system_changed' } })
    expect(await after({ model: 'claude-opus-4-8' })).toMatchObject({ cache_miss_reason: { type: 'model_changed' } })
    expect(await after({ tools: [tool('see')] })).toMatchObject({ cache_miss_reason: { type: 'tools_changed' } })
    expect(await after({ output_config: { effort: 'low' } })).toMatchObject({
      cache_miss_reason: { type: 'messages_changed', cache_missed_input_tokens: expect.any(Number) },
    })
    const unknown = await post({ ...body, diagnostics: { previous_message_id: 'msg_none' } })
    expect(unknown.diagnostics).toEqual({ cache_miss_reason: { type: 'previous_message_not_found' } })
  })
})

describe('billing of simulated Chat Completions (spec 2.1, 4.2)', () => {
  function chat() {
    const clock = manualClock()
    const provider = simulatedProvider({ clock })
    const post = async (body: object) => {
      const response = await provider.fetch('http://a/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer k' },
        body: JSON.stringify(body),
      })
      const { usage, choices } = (await response.json()) as {
        usage: Record<string, number> & { prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number } }
        choices: { message: object }[]
      }
      return { usage, details: usage.prompt_tokens_details, message: choices[0]!.message }
    }
    return { clock, post }
  }
  const system = { role: 'system', content: long('rules') }
  const user = (content: unknown) => ({ role: 'user', content })

  it('reads in steps of 128 before GPT-5.6, also where the texts part in mid-message', async () => {
    const { post } = chat()
    await post({ model: 'gpt-4o', messages: [system, user('one')] })
    const { details } = await post({
      model: 'gpt-4o',
      messages: [{ role: 'system', content: `${long('rules')} and more` }, user('two')],
    })
    expect(details.cached_tokens).toBeGreaterThan(1024)
    expect(details.cached_tokens % 128).toBe(0)
    expect(details.cache_write_tokens).toBe(0)
  })

  it('keeps routing keys apart', async () => {
    const { post } = chat()
    const body = { model: 'gpt-4o', messages: [system, user('one')] }
    await post({ ...body, prompt_cache_key: 'a' })
    expect((await post({ ...body, prompt_cache_key: 'b' })).details.cached_tokens).toBe(0)
    expect((await post({ ...body, prompt_cache_key: 'a' })).details.cached_tokens).toBeGreaterThan(1024)
  })

  it('holds a day with extended retention, minutes without', async () => {
    const { post, clock } = chat()
    const body = (rest: object) => ({ model: 'gpt-5.1', messages: [system, user('one')], ...rest })
    await post(body({ prompt_cache_retention: '24h', prompt_cache_key: 'day' }))
    await post(body({}))
    await clock.advance(3 * 3_600_000)
    expect(
      (await post(body({ prompt_cache_retention: '24h', prompt_cache_key: 'day' }))).details.cached_tokens,
    ).toBeGreaterThan(0)
    expect((await post(body({}))).details.cached_tokens).toBe(0)
  })

  it('from GPT-5.6 on writes at the latest message, bills it, and reads it exactly', async () => {
    const { post } = chat()
    const first = await post({ model: 'gpt-5.6-sol', messages: [system, user('one')] })
    const next = [system, user('one'), first.message, user('two')]
    const second = await post({ model: 'gpt-5.6-sol', messages: next })
    expect(first.details.cache_write_tokens).toBe(first.usage['prompt_tokens'])
    expect(second.details.cached_tokens).toBe(first.usage['prompt_tokens'])
    expect(second.details.cache_write_tokens).toBe(second.usage['prompt_tokens']! - second.details.cached_tokens)
    const changed = await post({ model: 'gpt-5.6-sol', messages: [system, user('other')] })
    expect(changed.details.cached_tokens).toBe(0)
  })

  it('from GPT-5.6 on reads an explicit breakpoint on stable blocks', async () => {
    const { post } = chat()
    const marked = { role: 'system', content: [text(long('rules'), { prompt_cache_breakpoint: { mode: 'explicit' } })] }
    const body = (question: string) => ({ model: 'gpt-5.6-sol', messages: [marked, user(question)] })
    await post(body('one'))
    expect((await post(body('other'))).details.cached_tokens).toBeGreaterThan(1500)
    const plain = { model: 'gpt-5.6-sol', prompt_cache_options: { mode: 'explicit' }, messages: [system, user('one')] }
    await post(plain)
    expect((await post(plain)).details).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 })
  })

  it.each(['qwen3-max', 'gpt-5.1', 'deepseek-v4-pro'])(
    'charges %s nothing for a call without content',
    async (model) => {
      const { post } = chat()
      const calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"at":"x"}' } }]
      const result = { role: 'tool', tool_call_id: 'c', content: 'ok' }
      const charged = async (said: object) => {
        const call = { role: 'assistant', ...said, tool_calls: calls }
        return (await post({ model, messages: [user('go'), call, result] })).usage['prompt_tokens']
      }
      const empty = await charged({ content: '' })
      expect(await charged({ content: null })).toBe(empty)
      expect(await charged({})).toBe(empty)
    },
  )

  it('DeepSeek reads up to the end of its own answer', async () => {
    const { post } = chat()
    const first = await post({ model: 'deepseek-v4-pro', messages: [system, user(long('one', 300))] })
    const next = { model: 'deepseek-v4-pro', messages: [system, user(long('one', 300)), first.message, user('two')] }
    const { usage, details } = await post(next)
    expect(usage['prompt_cache_hit_tokens']! + usage['prompt_cache_miss_tokens']!).toBe(usage['prompt_tokens'])
    expect(details.cached_tokens).toBe(usage['prompt_cache_hit_tokens'])
    expect(usage['prompt_cache_miss_tokens']).toBeLessThan(256)
  })
})
