import { describe, expect, it } from 'vitest'
import type { CompileInput, Item } from '../../core/index.ts'
import { careful } from '../policy/policies.ts'
import { newCompiler } from '../word-tokens.fixture.ts'

/** How often the name of a section is asked for, of items and shares, while `count` sections of one's own are packed into half their room. */
function readsFor(count: number, more: Partial<CompileInput['policy']>): number {
  let reads = 0
  const named = (section: string) => ({
    get section() {
      reads += 1
      return section
    },
  })
  const names = Array.from({ length: count }, (_, index) => `own-${index}`)
  const items = names.map((name, index): Item => {
    const item = {
      id: name,
      kind: 'text',
      text: `Note ${index}: it stood in the yard until noon.`,
      scores: { relevance: 0.5 },
    }
    return Object.defineProperties(item, Object.getOwnPropertyDescriptors(named(name))) as unknown as Item
  })
  const shares = names.map((name) =>
    Object.defineProperties({ min: 0, max: 1, weight: 1 }, Object.getOwnPropertyDescriptors(named(name))),
  )
  const policy = { ...careful, ...more, shares: [...careful.shares, ...shares] } as CompileInput['policy']
  const { outcome } = newCompiler().compile({
    items,
    layout: 'payload',
    policy,
    budget: { windowTokens: count * 16 },
    frame: { request: 'What stood in the yard?' },
  })
  expect(outcome.kind).toBe('ok')
  return reads
}

describe('sections of one’s own', () => {
  it.each([
    {},
    { relief: 'ladder' },
    { relief: 'by-risk' },
    { payload: { placement: { 'own-1': 'best-first' } } },
  ] as const)('twice as many take twice as long, not four times: %j', (more) => {
    const few = readsFor(500, more)
    expect(few).toBeGreaterThan(500)
    expect(readsFor(1000, more)).toBeLessThan(few * 2.2)
  })
})
