import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { contentHasher, itemKeys } from './item-keys.ts'

const item = (id: string, text: string): Item => ({ id, section: 'history', kind: 'tool-result', text })
const hashOf = contentHasher((text) => `<${text}>`)

describe('itemKeys', () => {
  it('X-02: the same text seen again has a key of its own, wherever it stands', () => {
    const keys = itemKeys([item('a', 'x'), item('b', 'y'), item('c', 'x')], hashOf)
    expect(new Set(keys).size).toBe(3)
    expect(itemKeys([item('z', 'y'), item('a', 'x')], hashOf)).toEqual([keys[1], keys[0]])
  })

  it('tells apart what says the same but is not the same', () => {
    const call: Item = { ...item('a', 'x'), kind: 'tool-call' }
    expect(new Set(itemKeys([call, item('b', 'x'), { ...item('c', 'x'), toolName: 'other' }], hashOf)).size).toBe(3)
  })
})
