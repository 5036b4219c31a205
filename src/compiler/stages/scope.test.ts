import { describe, expect, it } from 'vitest'
import type { CompileInput, Item } from '../../core/index.ts'
import { compile, evidence, input, itemOf } from '../compile-input.fixture.ts'

const tool = (name: string): Item => ({
  id: `tool:${name}`,
  section: 'tools',
  kind: 'tool-schema',
  toolName: name,
  text: JSON.stringify({ name, description: `${name} it.`, parameters: {} }),
})

const items: readonly Item[] = [
  itemOf('policy', 'rule', 'Common rule.'),
  itemOf('policy', 'rule-a', 'Rule of find only.', { scope: 'find' }),
  itemOf('policy', 'rule-b', 'Rule of fix only.', { scope: 'fix', pin: true }),
  evidence('a', 'Found by find.', { scope: 'find' }),
  evidence('b', 'Found by fix.', { scope: 'fix', pin: true }),
  evidence('of-ann', 'Seen by ann.', { scope: 'ann' }),
  evidence('both', 'Known to all.'),
  tool('grep'),
  tool('edit'),
]

const textOf = (changes: Partial<CompileInput>): string =>
  JSON.stringify(compile(input({ items, ...changes })).pack?.messages)

describe('the scope of a pack', () => {
  const find = { taskId: 't', stepId: 'find', agent: 'ann', tools: ['grep'] }
  const fix = { taskId: 't', stepId: 'fix', agent: 'bob', tools: ['edit'] }

  it('leaves out what is private to another step or agent, pinned or not, and tools that it does not name; and says so', () => {
    const { manifest, pack } = compile(input({ items, scope: find }))
    const out = manifest.decisions.filter(({ reason }) => reason === 'out-of-scope')
    expect(out.map(({ itemId, rung }) => `${itemId} ${rung}`)).toEqual([
      'rule-b omitted',
      'b omitted',
      'tool:edit omitted',
    ])
    expect(pack?.entries.map(({ itemId }) => itemId).toSorted()).toEqual([
      'a',
      'both',
      'of-ann',
      'rule',
      'rule-a',
      'tool:grep',
    ])
    expect(manifest.scope).toEqual(find)
  })

  it('A-027: packs of two sub-agents share nothing of a step', () => {
    const [one, other] = [textOf({ scope: find }), textOf({ scope: fix })]
    for (const own of ['Rule of find only.', 'Found by find.', 'Seen by ann.', 'grep']) {
      expect(one).toContain(own)
      expect(other).not.toContain(own)
    }
    for (const own of ['Rule of fix only.', 'Found by fix.', 'edit']) {
      expect(other).toContain(own)
      expect(one).not.toContain(own)
    }
    const nobody = textOf({})
    for (const own of ['of find only', 'of fix only', 'by find', 'by fix', 'by ann']) expect(nobody).not.toContain(own)
    expect(nobody).toContain('Known to all.')
  })

  it('keeps a group together: with what is private to another step goes what belongs to it', () => {
    const pair = [
      evidence('x', 'One half.', { group: 'g', scope: 'fix' }),
      evidence('y', 'The other half.', { group: 'g', pin: false }),
    ]
    const reasons = compile(input({ items: pair, scope: find })).manifest.decisions.map(({ reason }) => reason)
    expect(reasons).toEqual(['out-of-scope', 'group'])
  })

  it('is of layout payload: a conversation says so by name, and takes the names of step and task', () => {
    const said = itemOf('history', 'said', 'Hello.', { role: 'user' })
    const conversation = (changes: Partial<CompileInput>) => () =>
      compile(input({ items: [said], layout: 'messages', ...changes }))
    expect(conversation({ scope: { stepId: 's', tools: [] } })).toThrow(/scope\.tools: is of layout payload/)
    expect(conversation({ items: [{ ...said, scope: 's' }] })).toThrow(/items\[0\]\.scope: is of layout payload/)
    expect(conversation({ scope: { stepId: 's' } })().manifest.scope).toEqual({ stepId: 's' })
    expect(conversation({ scope: { stepId: 7 } as never })).toThrow(/scope\.stepId/)
  })
})

describe('A-006: a pack is bound to a step and a budget', () => {
  it('which its receipt names and its input hash binds', () => {
    const of = (changes: Partial<CompileInput>) =>
      compile(input({ items: [evidence('e', 'It broke.')], ...changes })).manifest
    const first = of({ scope: { taskId: 't', stepId: 'find' } })
    expect([first.scope, first.windowTokens]).toEqual([{ taskId: 't', stepId: 'find' }, 10_000])
    const others = [{ scope: { taskId: 't', stepId: 'fix' } }, { scope: { taskId: 'u', stepId: 'find' } }, {}]
    const hashes = new Set([first, ...others.map(of)].map(({ inputHash }) => inputHash))
    expect(hashes.size).toBe(4)
    expect(of({ scope: { stepId: 'find', taskId: 't' } }).inputHash).toBe(first.inputHash)
  })
})
