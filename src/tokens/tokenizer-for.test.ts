import { describe, expect, it } from 'vitest'
import { modelCatalogue, shippedCatalogue } from './catalogue/catalogue.ts'
import { encodingTokenizer } from './encoding.ts'
import { heuristicTokenizer } from './heuristic-tokenizer.ts'
import { requestOverhead } from './overhead/request-overhead.ts'
import { tokenizerFor, tokenizerNamed } from './tokenizer-for.ts'

const text = 'The quick brown fox jumps over the lazy dog, again and again, until both of them are tired.'

it('C-007: a model is resolved once, and models that count alike share one tokenizer', () => {
  expect(tokenizerFor('gpt-5')).toBe(tokenizerFor('gpt-5'))
  expect(tokenizerFor('gpt-4o')).toBe(tokenizerFor('openai/gpt-4.1-2025-04-14'))
  expect(tokenizerFor('claude-opus-4-5')).not.toBe(tokenizerFor('claude-opus-5'))
})

it('C-005: counts in the encoding of the model, times what is known of its own tokenizer', () => {
  const [o200k, cl100k, claude] = (['o200k_base', 'cl100k_base', 'claude'] as const).map((id) =>
    encodingTokenizer(id).count(text),
  )
  expect(tokenizerFor('gpt-5').count(text)).toBe(o200k)
  expect(tokenizerFor('gpt-4').count(text)).toBe(cl100k)
  expect(tokenizerFor('qwen3-max').count(text)).toBe(cl100k)
  expect(tokenizerFor('claude-opus-4-5').count(text)).toBe(Math.round(1.1 * (claude ?? 0)))
  expect(tokenizerFor('claude-opus-5').count(text)).toBe(Math.round(1.43 * (claude ?? 0)))
  expect(tokenizerFor('gemini-2.5-pro').count(text)).toBe(Math.round(1.08 * (o200k ?? 0)))
})

it('counts nothing as 0 and one character as at least 1', () => {
  for (const model of ['gpt-5', 'claude-opus-5', 'deepseek-chat', 'unheard-of']) {
    expect(tokenizerFor(model).count('')).toBe(0)
    expect(tokenizerFor(model).count('.')).toBeGreaterThanOrEqual(1)
  }
})

it('is named for all that a count depends on, and found again by its name', () => {
  expect(tokenizerFor('gpt-5').id).toBe('o200k_base/openai/tiles-70')
  expect(tokenizerFor('claude-opus-5').id).toBe('claude*1.43/anthropic/cells-4784')
  for (const model of ['gpt-5', 'claude-opus-5', 'deepseek-chat', 'unheard-of', 'o4-mini', 'gemini-2.5-pro']) {
    expect(tokenizerNamed(tokenizerFor(model).id)).toBe(tokenizerFor(model))
  }
  for (const id of [
    '',
    'words',
    'o200k_base',
    'o200k_base/openai/none',
    'o200k_base*-1/openai/tiles-70',
    'o200k_base*1/openai/tiles-70',
  ])
    expect(tokenizerNamed(id)).toBeUndefined()
})

it('counts as the catalogue says', () => {
  const catalogue = modelCatalogue({
    models: { mine: { encoding: 'cl100k_base', countFactor: 2, family: 'openai' } },
    tokenizer: 'exact',
  })
  expect(tokenizerFor('mine', catalogue).count(text)).toBe(2 * encodingTokenizer('cl100k_base').count(text))
  const estimating = modelCatalogue({ tokenizer: 'heuristic' })
  expect(tokenizerFor('gpt-5', estimating).count(text)).toBe(heuristicTokenizer.count(text))
})

describe('tools', () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where the file is.' }, force: { type: 'boolean' } },
    required: ['path'],
  }
  const about = { name: 'read', description: 'Reads a file.' }
  const onTheWire = {
    openai: { type: 'function', function: { ...about, parameters: schema, strict: true } },
    anthropic: { ...about, input_schema: schema, cache_control: { type: 'ephemeral' } },
    google: { ...about, parametersJsonSchema: schema },
    mcp: { ...about, inputSchema: schema },
  }

  it.each(['gpt-4o', 'claude-opus-5', 'deepseek-chat', 'gemini-2.5-pro', 'unheard-of'])(
    '%s: cost what the provider makes of them, whatever dialect they came in',
    (model) => {
      const { perTool } = requestOverhead({ messages: [], tools: [{ ...about, schema }] }, shippedCatalogue.info(model))
      for (const definition of Object.values(onTheWire)) {
        expect(tokenizerFor(model).countTool?.(JSON.stringify(definition, null, 2))).toBe(perTool[0])
      }
    },
  )

  it('of which only the provider knows the schema count as they are written', () => {
    const { count, countTool } = tokenizerFor('claude-opus-5')
    for (const definition of ['{"type":"web_search_20250305","name":"web_search"}', '{"type":"custom"', '', '[]'])
      expect(countTool?.(definition)).toBe(count(definition))
  })

  it('are shown shorter for fewer tokens', () => {
    const { countTool } = tokenizerFor('gpt-4o')
    const bare = {
      ...onTheWire.openai,
      function: { ...about, parameters: { type: 'object', properties: { path: {} } } },
    }
    expect(countTool?.(JSON.stringify(bare))).toBeLessThan(countTool?.(JSON.stringify(onTheWire.openai)) ?? 0)
  })
})
