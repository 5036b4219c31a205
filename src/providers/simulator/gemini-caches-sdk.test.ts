import { GoogleGenAI } from '@google/genai'
import type { CachedContent, CreateCachedContentConfig, GenerateContentResponseUsageMetadata } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from './clock.ts'
import type { ManualClock } from './clock.ts'
import { storedTokenHours } from './gemini/cached-contents.ts'
import type { SimulatedServer } from './listen.ts'
import { simulatedProvider } from './simulated-provider.ts'
import type { SimulatedProvider } from './simulated-provider.ts'

const model = 'gemini-3.5-flash'
const anHourMs = 3_600_000
const book = Array.from({ length: 1200 }, (_, line) => `Line ${line} of the book says ${line * 7919}.`).join('\n')
const said = (role: string, text: string) => ({ role, parts: [{ text }] })

let server: SimulatedServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

interface Google {
  readonly provider: SimulatedProvider
  readonly clock: ManualClock
  readonly client: GoogleGenAI
  clientWith(apiKey: string): GoogleGenAI
  create(config?: CreateCachedContentConfig): Promise<CachedContent>
  ask(cachedContent: string | undefined, config?: object): Promise<GenerateContentResponseUsageMetadata>
}

async function google(): Promise<Google> {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const provider = simulatedProvider({ script: () => 'done', clock })
  const { url } = (server = await provider.listen())
  const clientWith = (apiKey: string): GoogleGenAI => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  const client = clientWith('key')
  return {
    provider,
    clock,
    client,
    clientWith,
    create: (config = {}) =>
      client.caches.create({
        model,
        config: {
          systemInstruction: 'You read books.',
          contents: [said('user', book), said('model', 'Yes?')],
          ...config,
        },
      }),
    async ask(cachedContent, config = {}) {
      const contents = [said('user', 'Which line says 7919?')]
      const reply = await client.models.generateContent({
        model,
        contents,
        config: { ...(cachedContent !== undefined && { cachedContent }), ...config },
      })
      return reply.usageMetadata!
    },
  }
}

describe("contents that Google's SDK has cached", () => {
  it('are read from the cache by whoever names them, as often as they are named', async () => {
    const { create, ask } = await google()
    const made = await create({ displayName: 'a book', ttl: '600s' })
    expect(made).toMatchObject({
      name: expect.stringMatching(/^cachedContents\/\w+$/),
      model: `models/${model}`,
      displayName: 'a book',
      expireTime: '2026-11-21T00:10:00.000Z',
    })
    const tokens = made.usageMetadata!.totalTokenCount!
    expect(tokens).toBeGreaterThan(4096)
    for (const usage of [await ask(made.name), await ask(made.name)]) {
      expect(usage.cachedContentTokenCount).toBe(tokens)
      expect(usage.promptTokenCount).toBeGreaterThan(tokens)
      expect(usage.promptTokenCount).toBeLessThan(tokens + 50)
    }
    expect(await ask(undefined)).not.toHaveProperty('cachedContentTokenCount')
  })

  it('are listed, shown, prolonged and deleted', async () => {
    const { client, create, ask, clock } = await google()
    const { name = '' } = await create()
    expect((await client.caches.get({ name })).expireTime).toBe('2026-11-21T01:00:00.000Z')
    await clock.advance(anHourMs / 2)
    const prolonged = await client.caches.update({ name, config: { ttl: '7200s' } })
    expect(prolonged.expireTime).toBe('2026-11-21T02:30:00.000Z')
    await clock.advance(anHourMs)
    await ask(name)
    const names = async () => (await Array.fromAsync(await client.caches.list())).map((content) => content.name)
    expect(await names()).toEqual([name])
    await client.caches.delete({ name })
    expect(await names()).toEqual([])
    await expect(ask(name)).rejects.toThrow(/CachedContent not found/)
  })

  it('are gone when they expire, for others than their owner, and for other models', async () => {
    const { create, ask, clock, clientWith, client } = await google()
    const { name = '' } = await create({ ttl: '60s' })
    await expect(clientWith('other').caches.get({ name })).rejects.toMatchObject({ status: 403 })
    const contents = 'Hm?'
    await expect(
      client.models.generateContent({ model: 'gemini-2.5-pro', contents, config: { cachedContent: name } }),
    ).rejects.toThrow(/has to be the same/)
    await clock.advance(59_999)
    await ask(name)
    await clock.advance(1)
    await expect(ask(name)).rejects.toMatchObject({ status: 403 })
  })

  it('stand alone: what belongs to them is refused beside them', async () => {
    const { create, ask } = await google()
    const { name } = await create()
    const refusal = /CachedContent can not be used with GenerateContent request/
    await expect(ask(name, { systemInstruction: 'Be brief.' })).rejects.toThrow(refusal)
    await expect(ask(name, { tools: [{ functionDeclarations: [{ name: 'read' }] }] })).rejects.toThrow(refusal)
  })

  it.each([
    [{ contents: 'short' }, /Cached content is too small\. total_token_count=\d+, min_total_token_count=4096/],
    [{ ttl: 'soon' }, /cached_content\.ttl/],
    [{ ttl: '60s', expireTime: '2027-01-01T00:00:00Z' }, /Only one of ttl and expire_time/],
    [{ expireTime: '2020-01-01T00:00:00Z' }, /in the future/],
  ])('are not made of %j', async (config, message) => {
    const { create } = await google()
    await expect(create(config)).rejects.toThrow(message)
  })

  it('cost their tokens when they are made, and by the hour for as long as they are there', async () => {
    const { create, client, provider, clock } = await google()
    const first = await create({ ttl: '7200s' })
    const tokens = first.usageMetadata!.totalTokenCount!
    expect(provider.requests.at(-1)!.usage).toEqual({ inputTokens: tokens, outputTokens: 0 })
    await clock.advance(anHourMs)
    const hours = (): number => (storedTokenHours(provider.cachedContents, clock.now()) * 1e6) / tokens
    expect(hours()).toBeCloseTo(1)
    await clock.advance(4 * anHourMs)
    expect(hours()).toBeCloseTo(2)
    const second = await create({ ttl: '7200s' })
    await clock.advance(anHourMs / 2)
    await client.caches.delete({ name: second.name! })
    await clock.advance(anHourMs)
    expect(hours()).toBeCloseTo(2.5)
  })
})
