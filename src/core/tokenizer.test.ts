import { describe, expect, it } from 'vitest'
import type { Item } from './item.ts'
import { itemTokens } from './tokenizer.ts'
import type { Tokenizer } from './tokenizer.ts'

const plain: Tokenizer = { id: 'letters', count: (text) => text.length }
const full: Tokenizer = { ...plain, countTool: () => 7, countMedia: ({ width = 1 }) => width }
const item = (fields: Partial<Item>): Item => ({ id: 'a', section: 'history', kind: 'text', text: 'four', ...fields })

describe('the tokens of an item', () => {
  it('are its own word for it as it came, and counted where it is shown otherwise', () => {
    expect(itemTokens(plain, item({ tokens: 99 }))).toBe(99)
    expect(itemTokens(plain, item({ tokens: 99 }), 'of')).toBe(2)
  })

  it('are what its provider makes of a tool or a picture, where the tokenizer knows', () => {
    expect(itemTokens(full, item({ kind: 'tool-schema' }))).toBe(7)
    expect(itemTokens(plain, item({ kind: 'tool-schema' }))).toBe(4)
    expect(itemTokens(full, item({ kind: 'media', text: '', media: { type: 'image', width: 30 } }))).toBe(30)
    expect(itemTokens(full, item({ kind: 'media', text: '' }))).toBe(1)
    expect(itemTokens(full, item({ kind: 'media', text: 'a transcript', media: { type: 'audio' } }))).toBe(12)
    expect(itemTokens(plain, item({ kind: 'media', text: '' }))).toBe(0)
  })
})
