import { expect, it } from 'vitest'
import { cellText, docText, escaped, examplesOf, usualValue } from './doc-text.ts'
import type { Comment, CommentPart } from './model.ts'

const linked = (name: string): string | undefined => (name === 'Item' ? 'compile.md#item' : undefined)
const comment = (...parts: readonly (string | CommentPart)[]): Comment => ({
  summary: parts.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)),
})
const code = (text: string): CommentPart => ({ kind: 'code', text })

it('links code that names a public type, and no other code', () => {
  expect(
    docText(comment('An ', code('`Item`'), ', not an ', code('`item`'), ' or ', code('`Other`'), '.'), linked),
  ).toBe('An [`Item`](compile.md#item), not an `item` or `Other`.')
})

it('keeps tags in sentences from being tags', () => {
  expect(docText(comment('A Map<string, Item>.'), linked)).toBe('A Map\\<string, Item>.')
  expect(escaped("Map<string, 'a' | 'b'>[]")).toBe("Map\\<string, 'a' \\| 'b'\\>\\[\\]")
})

it('puts a docstring on one line of a cell, and its examples elsewhere', () => {
  const example = '```ts\nrun()\n```'
  const whole = comment('One\nsentence: ', code('`a | b`'), '\n\n', code(example))
  expect(cellText(whole, linked)).toBe('One sentence: `a \\| b`')
  expect(examplesOf(whole)).toEqual([example])
})

it('finds the value in force where a sentence states it', () => {
  expect(usualValue(comment('How many, at most; 10,000 by default.'))).toBe('10,000')
  expect(usualValue(comment('The schema. ', code('`prehend`'), ' by default.'))).toBe('`prehend`')
  expect(usualValue(comment('How much is remembered; 16 MiB by default.'))).toBe('16 MiB')
  expect(usualValue(comment('Those of the configuration by default.'))).toBeUndefined()
  expect(usualValue(undefined)).toBeUndefined()
})
