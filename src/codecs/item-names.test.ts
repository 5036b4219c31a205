import { describe, expect, it } from 'vitest'
import { claimName, fingerprint } from './item-names.ts'
import { codecFor } from './index.ts'

describe('names of items', () => {
  const codec = codecFor('anthropic-messages')
  const use = (id: string): object => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] })
  const result = (id: string): object => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'r' }],
  })
  const idsOf = (...messages: readonly object[]): readonly string[] =>
    codec
      .decode({ body: JSON.stringify({ model: 'm', tools: [{ name: 'f', input_schema: {} }], messages }) })
      .conversation.items.map(({ id }) => id)

  it('say what an item calls, answers or says', () => {
    const ids = idsOf({ role: 'user', content: 'go' }, use('a'), result('a'))
    expect(ids).toEqual(['tool:f', `user:${fingerprint('go')}`, 'call:a', 'result:a'])
  })

  it('count what comes back', () => {
    const turn = [{ role: 'user', content: 'go' }, use('a'), result('a')]
    expect(idsOf(...turn, ...turn).slice(4)).toEqual([`user:${fingerprint('go')}#2`, 'call:a#2', 'result:a#2'])
  })

  it('never meet, whatever a client calls its calls', () => {
    const ids = idsOf(
      { role: 'user', content: 'go' },
      use('a#2'),
      result('a#2'),
      use('a'),
      result('a'),
      use('a'),
      result('a'),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('tell long texts apart by length, and by most of what is in them', () => {
    const long = 'x'.repeat(200_000)
    expect(fingerprint(long)).not.toBe(fingerprint(`${long}x`))
    expect(fingerprint(long)).not.toBe(fingerprint(`y${long.slice(1)}`))
  })

  it('skip occurrences that are taken', () => {
    const taken = new Map<string, number>()
    expect(['a', 'a', 'a#3', 'a', 'a#3'].map((base) => claimName(taken, base))).toEqual([
      'a',
      'a#2',
      'a#3',
      'a#4',
      'a#3#2',
    ])
  })
})
