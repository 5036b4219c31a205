import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelCatalogue, shippedCatalogue } from './catalogue.ts'
import { tokenizerFor } from '../tokenizer-for.ts'
import { modelName } from './model-name.ts'
import { PROVIDER_RULES_AS_OF, providerRules } from './provider-rules.ts'

describe('names', () => {
  const names: readonly (readonly [string, string])[] = [
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-4.5-haiku', 'claude-haiku-4-5'],
    ['claude-opus-4-0', 'claude-opus-4'],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
    ['openai/gpt-4o-2024-11-20', 'gpt-4o'],
    ['openrouter/deepseek/deepseek-chat:free', 'deepseek-chat'],
    ['models/gemini-3.1-pro-preview', 'gemini-3.1-pro'],
    [' GPT-5 ', 'gpt-5'],
  ]

  it.each(names)('%s is %s', (asked, name) => {
    expect(modelName(asked)).toBe(name)
    expect(shippedCatalogue.info(asked)).toMatchObject({
      id: name,
      known: true,
      priceSource: 'rules',
      asOf: PROVIDER_RULES_AS_OF,
    })
  })
})

describe('hazards of price databases', () => {
  it('a new model does not get the prices of its predecessor', () => {
    expect(shippedCatalogue.info('claude-sonnet-5-5').prices).toMatchObject({ input: 2, cacheRead: 0.1 })
    expect(shippedCatalogue.info('claude-opus-5-5').prices).toMatchObject({ cacheRead: 0.2 })
    for (const unheardOf of ['claude-fable-5-2', 'claude-sonnet-5-9', 'gpt-6.1-nova', 'claude-opus-6']) {
      const info = shippedCatalogue.info(unheardOf)
      expect(info).toMatchObject({ known: false, priceSource: 'unknown' })
      expect(info.prices).toBeUndefined()
    }
  })

  it('a withdrawn tier does not come back: Sonnet 4.5 has one price', () => {
    expect(shippedCatalogue.info('claude-sonnet-4-5').prices?.tiers).toBeUndefined()
  })

  it('models outside our table take prices and window from the database, tiers included', () => {
    expect(shippedCatalogue.info('grok-4')).toMatchObject({
      known: false,
      priceSource: 'genai-prices',
      windowTokens: 256_000,
      prices: { input: 3, output: 15, cacheRead: 0.75 },
    })
    expect(shippedCatalogue.info('gemini-3-pro-preview').prices).toEqual({
      input: 2,
      output: 12,
      cacheRead: 0.2,
      tiers: [{ aboveInputTokens: 200_000, input: 4, output: 18, cacheRead: 0.4 }],
    })
  })
})

describe('unknown models', () => {
  it('have the habits of their family, cautiously', () => {
    expect(shippedCatalogue.info('claude-opus-7')).toMatchObject({
      provider: 'anthropic',
      encoding: 'claude',
      countFactor: 1.43,
      windowTokens: 200_000,
      cache: { kind: 'anthropic-breakpoints', minTokens: 4096 },
    })
    expect(shippedCatalogue.info('gpt-7').cache.kind).toBe('openai-breakpoints')
    expect(shippedCatalogue.info('gpt-5.5-pro').cache.kind).toBe('openai-prefix')
    expect(shippedCatalogue.info('gpt-4-0613').encoding).toBe('cl100k_base')
    expect(shippedCatalogue.info('qwen3-coder').encoding).toBe('cl100k_base')
    expect(shippedCatalogue.info('my-own-finetune')).toMatchObject({
      provider: 'other',
      encoding: 'o200k_base',
      countFactor: 1.1,
    })
  })

  it('never throw, whatever the name', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('', '/', ':', '@', '__proto__', 'constructor', 'claude-', 'x'.repeat(1e5)),
    )
    fc.assert(
      fc.property(names, (name) => {
        const info = shippedCatalogue.info(name)
        expect(info.windowTokens).toBeGreaterThan(info.maxOutputTokens)
        if (info.priceSource === 'unknown') expect(info.prices).toBeUndefined()
      }),
    )
  })
})

describe('the table', () => {
  const models = [...providerRules.values()]

  it('holds together', () => {
    for (const { prices, ...model } of models) {
      expect(model.windowTokens).toBeGreaterThan(model.maxOutputTokens)
      expect(prices?.cacheRead ?? 0).toBeLessThan(prices?.input ?? 0)
      for (const tier of prices?.tiers ?? []) expect(tier.input).toBeGreaterThan(prices?.input ?? 0)
      expect(model.cache.ttlMs).toEqual(model.cache.ttlMs.toSorted((a, b) => a - b))
    }
  })

  it('G-014: a tenth for a cached token at Anthropic up to the fifth generation, less since; half at gpt-4o', () => {
    const readShare = (model: string) => {
      const prices = shippedCatalogue.info(model).prices
      return (prices?.cacheRead ?? Number.NaN) / (prices?.input ?? Number.NaN)
    }
    expect(readShare('claude-opus-4-8')).toBeCloseTo(0.1)
    expect(readShare('claude-opus-5-5')).toBeCloseTo(0.05)
    expect(readShare('claude-fable-5-1')).toBeCloseTo(0.025)
    expect(readShare('gpt-4o')).toBeCloseTo(0.5)
    expect(readShare('gpt-5')).toBeCloseTo(0.1)
    expect(readShare('gpt-6.1-sol')).toBeCloseTo(0.05)
  })

  it('charges Anthropic writes 1.25 and 2 times the input', () => {
    for (const { prices } of models.filter((model) => model.provider === 'anthropic')) {
      expect(prices?.cacheWrite).toBeCloseTo(1.25 * (prices?.input ?? 0))
      expect(prices?.cacheWriteLong).toBeCloseTo(2 * (prices?.input ?? 0))
    }
  })

  it('knows which OpenAI generation caches how', () => {
    expect(shippedCatalogue.info('gpt-5.6-sol').cache).toMatchObject({
      kind: 'openai-breakpoints',
      lookback: 80,
      maxBreakpoints: 4,
    })
    expect(shippedCatalogue.info('gpt-5.5').cache).toMatchObject({ kind: 'openai-prefix', stepTokens: 128 })
    expect(shippedCatalogue.info('gpt-5.5').prices).not.toHaveProperty('cacheWrite')
  })
})

describe('servers of the dialect that all speak', () => {
  it.each([
    ['kimi-k2.6', 256, 0.16],
    ['grok-4.6', 128, 0.5],
    ['grok-4.7', 128, 0.5],
    ['mistral-large-2512', 64, 0.05],
    ['glm-5.2', 1, 0.26],
    ['z-ai/glm-4.7', 1, 0.11],
  ])('%s is cached unasked, in blocks of %i tokens', (model, stepTokens, cacheRead) => {
    const { cache, prices } = shippedCatalogue.info(model)
    expect(cache).toMatchObject({ kind: 'openai-prefix', stepTokens, minTokens: stepTokens, maxBreakpoints: 0 })
    expect(prices).toMatchObject({ cacheRead })
    expect(prices).not.toHaveProperty('cacheWrite')
  })

  it("Alibaba's own models are cached where they are marked, at a quarter more and a tenth", () => {
    for (const model of [
      'qwen3-max',
      'qwen/qwen3-max',
      'qwen3-max-2026-01-23',
      'qwen3-coder-plus',
      'qwen-plus-latest',
    ]) {
      const { cache, prices, known } = shippedCatalogue.info(model)
      expect(known).toBe(true)
      expect(cache).toMatchObject({ kind: 'anthropic-breakpoints', minTokens: 1024, lookback: 20, maxBreakpoints: 4 })
      for (const list of [prices!, ...prices!.tiers!]) {
        expect(list.cacheRead).toBeCloseTo(list.input / 10)
        expect(list.cacheWrite).toBeCloseTo(list.input * 1.25)
      }
    }
  })

  it.each(['qwen3-coder:30b', 'Qwen/Qwen3-32B', 'meta-llama/llama-3.3-70b-instruct', 'my-own-finetune'])(
    'of %s nobody knows who serves it, or whether it is cached there',
    (model) => {
      expect(shippedCatalogue.info(model).cache).toMatchObject({ kind: 'none' })
    },
  )

  it('a model that is not priced yet keeps the habits of its vendor, and no price', () => {
    expect(shippedCatalogue.info('kimi-k9')).toMatchObject({ known: false, cache: { stepTokens: 256 } })
    expect(shippedCatalogue.info('kimi-k9')).not.toHaveProperty('prices')
  })
})

describe('a caller who knows better', () => {
  const { info } = modelCatalogue({
    models: {
      'My-Model': { windowTokens: 32_000, prices: { input: 1, output: 2 } },
      'my-claude': { family: 'anthropic', cache: { minTokens: 64 } },
      'my-llama': { family: 'openai', encoding: 'cl100k_base', cache: { kind: 'openai-breakpoints' } },
      'claude-opus-5': { prices: { input: 4, output: 20 } },
      'gpt-5': { windowTokens: 100_000 },
    },
  })

  it('wins over table and defaults, by the name asked for or the plain one', () => {
    expect(info('My-Model')).toMatchObject({
      known: true,
      windowTokens: 32_000,
      prices: { input: 1, output: 2 },
      priceSource: 'caller',
      provider: 'other',
      encoding: 'o200k_base',
    })
    expect(info('anthropic/claude-opus-5')).toMatchObject({
      windowTokens: 1_000_000,
      prices: { input: 4, output: 20 },
      cache: { minTokens: 512 },
    })
    expect(info('gpt-5')).toMatchObject({ windowTokens: 100_000, maxOutputTokens: 100_000, priceSource: 'rules' })
    expect(info('constructor').known).toBe(false)
  })

  it('names a family and gets its habits, and a kind of cache and gets its rules, save what is said', () => {
    expect(info('my-claude')).toMatchObject({
      provider: 'anthropic',
      encoding: 'claude',
      cache: { kind: 'anthropic-breakpoints', minTokens: 64, lookback: 20, maxBreakpoints: 4 },
    })
    expect(info('my-llama')).toMatchObject({
      provider: 'openai',
      encoding: 'cl100k_base',
      countFactor: 1,
      cache: { kind: 'openai-breakpoints', lookback: 80 },
    })
    expect(info('my-llama').prices).toBeUndefined()
  })

  it('does not reach what the product comes with', () => {
    expect(shippedCatalogue.info('claude-opus-5').prices?.input).toBe(5)
    expect(shippedCatalogue.info('My-Model')).toMatchObject({ known: false, windowTokens: 128_000 })
  })

  it('C-006: is estimated where its vocabulary is not to be had', () => {
    const lost = modelCatalogue({ canCount: (encoding) => encoding !== 'claude' })
    expect(lost.info('claude-opus-4-5')).toMatchObject({ encoding: 'heuristic', countFactor: 1.19 })
    expect(lost.info('gpt-5')).toMatchObject({ encoding: 'o200k_base' })
    const text = 'A vocabulary that was left out of a bundle is no reason not to count what a request says.'
    const exact = tokenizerFor('claude-opus-4-5').count(text)
    expect(Math.abs(tokenizerFor('claude-opus-4-5', lost).count(text) / exact - 1)).toBeLessThan(0.2)
  })

  it('may have everything estimated, each model by what its vocabulary is larger', () => {
    const estimating = modelCatalogue({ tokenizer: 'heuristic' })
    expect(estimating.info('gpt-5')).toMatchObject({ encoding: 'heuristic', countFactor: 1, windowTokens: 400_000 })
    expect(estimating.info('claude-opus-5')).toMatchObject({ encoding: 'heuristic', countFactor: 1.54 })
    expect(estimating.info('unheard-of')).toMatchObject({ encoding: 'heuristic', countFactor: 1.1, known: false })
  })
})
