import { describe, expect, it } from 'vitest'
import { isProviderCompaction } from './provider-editing.ts'

const opaque = (block: object): boolean => isProviderCompaction({ kind: 'opaque', text: JSON.stringify(block) })

describe('what a provider leaves in place of what it has compacted', () => {
  it.each([
    ['of Anthropic', { type: 'compaction', content: 'Earlier.' }, true],
    ['of Anthropic, encrypted', { type: 'compaction', content: null, encrypted_content: 'x' }, true],
    ['of Anthropic, signed', { type: 'compaction', signature: 's', tool_changes: [] }, true],
    ['of Anthropic, failed', { type: 'compaction', content: null }, false],
    ['of OpenAI', { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }, true],
    ['another block that names it', { type: 'note', about: { type: 'compaction', content: 'x' } }, false],
  ])('%s', (_, block, is) => {
    expect(opaque(block)).toBe(is)
  })

  it('is no text that looks so', () => {
    const text = JSON.stringify({ type: 'compaction', content: 'x' })
    expect(isProviderCompaction({ kind: 'text', text })).toBe(false)
    expect(isProviderCompaction({ kind: 'opaque', text: `${text}"compaction"` })).toBe(false)
  })
})
