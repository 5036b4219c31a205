import { describe, expect, it } from 'vitest'
import { isFixed } from './frozen.ts'
import { evidence, instruction, memory, said, tool, toolUse } from './make-items.ts'
import { check } from './shape.ts'
import { itemShape } from './shapes.ts'

const made = [
  said('user', 'Why does the build fail?'),
  said('assistant', 'Let me see.', { id: 'mine', birthTurn: 3 }),
  instruction('Answer from the evidence.'),
  evidence('It broke on Monday.', 'wiki'),
  evidence(
    'It broke on Monday.',
    { sourceId: 'log', uri: 'file:///build.log', span: [3, 9] },
    { scores: { relevance: 1 } },
  ),
  memory('Prefers short answers.'),
  tool({ name: 'read', description: 'Reads a file.', schema: { type: 'object' } }),
  ...toolUse({ id: 'c1', name: 'read', arguments: { path: 'a.ts' }, result: 'ENOENT', status: 'error' }),
]

describe('made items', () => {
  it('are valid, each under a name of its own, the same every time', () => {
    for (const item of made) expect(() => check(itemShape, item, 'item', { strict: true })).not.toThrow()
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length)
    expect(said('user', 'Why does the build fail?')).toEqual(made[0])
  })

  it('take over what they are told', () => {
    expect(made[1]).toMatchObject({ id: 'mine', birthTurn: 3, role: 'assistant', section: 'history' })
    expect(made[4]).toMatchObject({ provenance: { sourceId: 'log', span: [3, 9] }, scores: { relevance: 1 } })
  })

  it('a call and its result are one group', () => {
    const [call, result] = toolUse({ id: 'c1', name: 'read', arguments: { path: 'a.ts' }, result: 'x' })
    expect([call.group, result.group, call.text]).toEqual(['c1', 'c1', '{"path":"a.ts"}'])
  })
})

it('what a maker gives cannot be changed; what it was given can', () => {
  const provenance = { sourceId: 'a.md' }
  const scores = { relevance: 1 }
  const given = [
    said('user', 'Why?', { scores }),
    evidence('Because.', provenance, { scores }),
    ...toolUse({ id: 'c1', name: 'find', arguments: {}, result: 'none' }, { scores }),
  ]
  for (const item of given) expect(isFixed(item)).toBe(true)
  expect([Object.isFrozen(provenance), Object.isFrozen(scores)]).toEqual([false, false])
  expect(given[1]?.provenance).toEqual(provenance)
})
