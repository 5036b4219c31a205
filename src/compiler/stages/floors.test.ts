import { describe, expect, it } from 'vitest'
import type { Policy } from '../../core/index.ts'
import { compile, evidence, input, itemOf } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'

const policy: Policy = { ...careful, floors: { relevance: 0.4, freshness: 0, authority: 0 } }

describe('floors', () => {
  it('P-021: a tool of too little relevance to the step is left out, and one at the floor is not', () => {
    const tool = (name: string, relevance: number) =>
      itemOf('tools', name, `{"name":"${name}"}`, { kind: 'tool-schema', toolName: name, scores: { relevance } })
    const { manifest, pack } = compile(input({ policy, items: [tool('useful', 0.4), tool('useless', 0.39)] }))
    expect(manifest.decisions.map(({ itemId, reason }) => [itemId, reason])).toEqual([
      ['useful', 'fits'],
      ['useless', 'below-floor'],
    ])
    expect(pack?.entries.map(({ itemId }) => itemId)).toEqual(['useful'])
  })

  it('A-030: memory below the floor stays out, and a pack without memory is a pack', () => {
    const memory = (relevance: number) => itemOf('memory', 'm', 'Prefers tea.', { scores: { relevance } })
    const told = (relevance: number) => {
      const { outcome, pack } = compile(input({ policy, items: [memory(relevance), evidence('e', 'A fact.')] }))
      expect(outcome).toEqual({ kind: 'ok', omitted: relevance < 0.4 ? 1 : 0 })
      return pack?.messages.at(-1)?.text
    }
    expect(told(0.4)).toContain('MEMORY:\n- Prefers tea.\n')
    expect(told(0.39)).toMatch(/MEMORY:\n- 1 more not shown: rehydrate\("\d{12}"\)\n/)
  })
})
