import { describe, expect, it } from 'vitest'
import { fingerprint } from '../core/index.ts'
import { claimName, takenNames, toolDefinedBy } from './item-names.ts'
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

  it('are two where a message adds a tool that the body lists too', () => {
    const tool = { type: 'function', name: 'f', parameters: {} }
    const body = { model: 'm', tools: [tool], input: [{ type: 'additional_tools', role: 'developer', tools: [tool] }] }
    const { conversation } = codecFor('openai-responses').decode({ body: JSON.stringify(body) })
    expect(conversation.items.map(({ id }) => id)).toEqual(['tool:f', 'added-tool:f'])
  })

  it('tell long texts apart by length, and by most of what is in them', () => {
    const long = 'x'.repeat(200_000)
    expect(fingerprint(long)).not.toBe(fingerprint(`${long}x`))
    expect(fingerprint(long)).not.toBe(fingerprint(`y${long.slice(1)}`))
  })

  it('skip occurrences that are taken', () => {
    const taken = takenNames()
    expect(['a', 'a', 'a#3', 'a', 'a#3'].map((base) => claimName(taken, base))).toEqual([
      'a',
      'a#2',
      'a#3',
      'a#4',
      'a#3#2',
    ])
  })

  it('are known through any number of requests, and a fork knows nothing of its sibling', () => {
    let taken = takenNames()
    for (let request = 1; request <= 40; request += 1) {
      taken = takenNames(taken)
      expect(claimName(taken, 'a')).toBe(request === 1 ? 'a' : `a#${request}`)
      expect(claimName(taken, `b${request}`)).toBe(`b${request}`)
    }
    const [left, right] = [takenNames(taken), takenNames(taken)]
    expect([claimName(left, 'a'), claimName(right, 'a'), claimName(left, 'b1')]).toEqual(['a#41', 'a#41', 'b1#2'])
  })
})

describe('the tool that an item defines', () => {
  it.each([
    ['tool:read_file', 'read_file'],
    ['added-tool:mcp__files__read', 'mcp__files__read'],
    ['tool:read#2', 'read'],
    ['call:toolu_1', undefined],
    ['result:tool:read', undefined],
    ['tool:', undefined],
  ])('%s: %s', (id, tool) => expect(toolDefinedBy(id)).toBe(tool))
})
