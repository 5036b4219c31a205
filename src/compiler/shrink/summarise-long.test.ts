import { describe, expect, it } from 'vitest'
import type { CompressionPolicy, Item, Layout } from '../../core/index.ts'
import { compile, input, itemOf, wordTokenizer } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { readPolicy } from '../policy/read-policy.ts'

/** Sentences to so many tokens. */
function textOf(tokens: number): string {
  let text = 'Captain Vasquez slept aboard that night by the old pier.'
  for (let at = 0; wordTokenizer.count(text) + 20 < tokens; at += 1)
    text += ` The crew of boat ${at} brought the nets back late.`
  while (wordTokenizer.count(text) < tokens) text += ' slowly'
  return text
}

const remembered = (category: string, tokens: number): Item =>
  itemOf('memory', `${category}${tokens}`, textOf(tokens), { kind: 'memory', category })

function rungsOf(items: readonly Item[], layout: Layout, compression: CompressionPolicy): readonly string[] {
  const policy = { ...careful, compression }
  const { pack } = shownBy({ items, layout, policy })
  return items.map(({ id }) => pack?.entries.find(({ itemId }) => itemId === id)?.rung ?? 'none')
}

const situation = { taskClass: 'voyage', regime: 'calm' }

function shownBy({ items, layout, policy }: { items: readonly Item[]; layout: Layout; policy: typeof careful }) {
  const asked = layout === 'messages' ? [...items, itemOf('query', 'ask', 'go', { role: 'user' })] : items
  return compile(
    input({ items: asked, layout, policy, budget: { windowTokens: 90_000 }, rehydration: true, situation }),
  )
}

describe.each(['payload', 'messages'] as const)('long memories in %s', (layout) => {
  it('V-011: an episode stands up to 200 tokens and an insight up to 150, above that as a summary', () => {
    const items = [
      remembered('episode', 200),
      remembered('episode', 201),
      remembered('insight', 150),
      remembered('insight', 151),
    ]
    expect(rungsOf(items, layout, {})).toEqual(['full', 'summary', 'full', 'summary'])
    expect(rungsOf(items, layout, { enabled: false })).toEqual(['full', 'full', 'full', 'full'])
    const own = { summariseAbove: { insight: 400, note: 100 } }
    const more = [...items, remembered('note', 101), remembered('other', 300)]
    expect(rungsOf(more, layout, own)).toEqual(['full', 'summary', 'full', 'full', 'summary', 'full'])
  })

  it('V-011, V-041: the summary keeps what a guideline for its category names', () => {
    const guideline = {
      id: 'g1',
      category: 'episode',
      taskType: 'voyage',
      regime: 'calm',
      text: 'Keep "boat 13" wherever it stands.',
      createdMs: 0,
      triggerCount: 0,
      preventedFailures: 0,
    }
    const text = textOf(300)
    const plain = { keepRatio: 0.3, minFidelity: 0.3 }
    const shown = (guidelines: readonly (typeof guideline)[]): string => {
      const item = itemOf('memory', 'm', text, { kind: 'memory', category: 'episode' })
      const policy = { ...careful, compression: { ...plain, guidelines } }
      return shownBy({ items: [item], layout, policy }).pack!.entries.find(({ itemId }) => itemId === 'm')!.text
    }
    expect(shown([guideline])).toContain('boat 13')
    expect(shown([])).not.toContain('boat 13')
    expect(shown([])).toBe(shown([{ ...guideline, category: 'insight' }]))
  })

  it('V-011: a policy file sets it', () => {
    const file = { extends: 'careful', id: 'mine', version: '1.0.0', compression: { summariseAbove: { episode: 80 } } }
    expect(readPolicy(file).compression?.summariseAbove).toEqual({ episode: 80 })
    const wrong = { ...file, compression: { summariseAbove: { episode: 'long' } } }
    expect(() => readPolicy(wrong)).toThrow(/summariseAbove\.episode/)
  })
})
