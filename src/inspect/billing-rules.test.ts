import { describe, expect, it } from 'vitest'
import { modelCatalogue } from '../tokens/index.ts'
import {
  billingProviders,
  billingRuleNames,
  modelRules,
  namedRules,
  plainRules,
  providerRules,
} from './billing-rules.ts'
import type { RenderedMessage } from './render.ts'

const message = (text: string, tokens: number, role: RenderedMessage['role'] = 'user'): RenderedMessage => ({
  role,
  text,
  tokens,
  sourceId: '',
  observation: false,
  parts: [],
})

const opening = message('opening', 5000)
const answer = message('answer', 100, 'assistant')
const result = message('result', 300, 'tool')

describe('billing rules', () => {
  it('plain: no minimum, no lifetime, no charge for writing', () => {
    const cache = plainRules().openCache()
    expect(cache.bill([message('a', 1)], 0).cost).toBe(1)
    expect(cache.bill([message('a', 1), message('b', 1)], 1e15)).toEqual({ tokens: 2, cachedTokens: 1, cost: 1.1 })
  })

  it('plain: prices can be set', () => {
    const cache = plainRules({ read: 0.5, write: 2 }).openCache()
    cache.bill([message('a', 10)], 0)
    expect(cache.bill([message('a', 10), message('b', 10)], 0).cost).toBe(5 + 20)
  })

  it('have names: the plain ones differ in what reading costs alone, and an override goes before the name', () => {
    const read = (name: (typeof billingRuleNames)[number]): number => namedRules(name).prices.read
    expect(['plain', 'reads-at-30th', 'reads-at-50th'].map((name) => read(name as 'plain'))).toEqual([
      0.1,
      1 / 30,
      0.02,
    ])
    expect(billingRuleNames.map((name) => namedRules(name).name)).toEqual(billingRuleNames)
    const cache = namedRules('reads-at-50th').openCache()
    cache.bill([message('a', 100)], 0)
    expect(cache.bill([message('a', 100), message('b', 10)], 0).cost).toBeCloseTo(2 + 10)
    expect(namedRules('reads-at-30th', { read: 0.5 }).prices.read).toBe(0.5)
    expect(namedRules('anthropic')).toMatchObject({ name: providerRules('anthropic').name })
  })

  it.each(billingProviders)('%s: reads what came before and is warm, and forgets it when it is old', (provider) => {
    const rules = providerRules(provider)
    const cache = rules.openCache()
    const first = cache.bill([opening], 0)
    expect(first.cachedTokens).toBe(0)
    const warm = cache.bill([opening, answer, result], 10_000)
    expect(warm.cachedTokens).toBeGreaterThan(4900)
    expect(warm.cost).toBeLessThan(0.5 * 5400)
    const cold = cache.bill([opening, answer, result, answer], 10_000 + 100 * rules.prices.ttlMs)
    expect(cold.cachedTokens).toBe(0)
  })

  it('anthropic: what is below the minimum is not cached, and writing has its price', () => {
    const cache = providerRules('anthropic').openCache()
    expect(cache.bill([message('a', 1000)], 0).cost).toBe(1000)
    expect(cache.bill([message('a', 2000)], 0).cost).toBe(2500)
  })

  it('anthropic: a changed middle is read up to the opening, where a breakpoint stands', () => {
    const cache = providerRules('anthropic').openCache()
    cache.bill([opening, answer, result], 0)
    expect(cache.bill([opening, answer, message('shorter', 10, 'tool'), answer], 1000).cachedTokens).toBe(5000)
  })

  it('google: what came before is read at a tenth from the minimum on, also a part of it, and writing has no price', () => {
    const cache = modelRules('gemini-2.5-pro').openCache()
    expect(cache.bill([message('a', 2000)], 0).cost).toBe(2000)
    expect(cache.bill([message('a', 2000), message('b', 500)], 0).cost).toBe(2500)
    expect(cache.bill([message('a', 2000), message('b', 500), answer], 0).cost).toBe(250 + 100)
    expect(cache.bill([message('a', 2000), message('b', 500), result], 0).cost).toBe(250 + 300)
    expect(cache.bill([message('a', 2000), result], 0).cost).toBe(2300)
    expect(cache.bill([message('a', 2000), message('b', 500), answer], 180_001).cost).toBe(2600)
  })

  it('a model has its own prices and tokenizer', () => {
    expect(modelRules('claude-opus-5-5').prices.read).toBe(0.05)
    expect(modelRules('claude-opus-5-5').tokenizer.id).not.toBe(plainRules().tokenizer.id)
  })

  it('a model that nobody knows is bad input that names the field', () => {
    expect(() => modelRules('no-such-model')).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    expect(() => modelRules('@cf/meta/llama-3-8b-instruct')).toThrow(/not known/)
    const prices = { input: 2, output: 4, cacheRead: 1 }
    const catalogue = modelCatalogue({ models: { 'no-such-model': { family: 'openai', prices } } })
    expect(modelRules('no-such-model', { catalogue })).toMatchObject({ prices: { read: 0.5 }, inputDollars: 2 })
  })
})
