import { expect, it } from 'vitest'
import { encodingTokenizer } from './encoding.ts'
import { tokenizerFor } from './tokenizer-for.ts'

const text = 'The quick brown fox jumps over the lazy dog, again and again, until both of them are tired.'

it('C-007: a model is resolved once, and models that count alike share one tokenizer', () => {
  expect(tokenizerFor('gpt-5')).toBe(tokenizerFor('gpt-5'))
  expect(tokenizerFor('gpt-5')).toBe(tokenizerFor('openai/gpt-4o-2024-11-20'))
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

it('names the encoding and the factor', () => {
  expect(tokenizerFor('gpt-5').id).toBe('o200k_base')
  expect(tokenizerFor('claude-opus-5').id).toBe('claude*1.43')
})
