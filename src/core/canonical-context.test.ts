import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalContext } from './canonical-context.ts'
import { canonicalContextShape, canonicalTiers, fromCanonical, toCanonical } from './canonical-context.ts'
import type { Item } from './item.ts'
import { sectionInfo, sections } from './section.ts'
import { isTerm, unify } from './vocabulary.ts'

const words: readonly string[] = [
  ...sections.map(({ section }) => section).filter((name) => name !== 'reserve'),
  'lore',
]

const anyItems = fc
  .array(fc.constantFrom(...words))
  .map((chosen) =>
    chosen.map((section, index): Item => ({ id: `i${index}`, section, kind: 'text', text: `Text ${index}.` })),
  )

const itemsOf = (context: CanonicalContext, member: keyof CanonicalContext): readonly Item[] => {
  const value = context[member]
  if (typeof value === 'number') return []
  return 'items' in value ? value.items : value
}

describe('the canonical object', () => {
  it('P-018: is a typed object of seven members, each of which has its tier and is a term of the vocabulary', () => {
    expect(canonicalContextShape.schema).toMatchObject({
      required: ['role_policy', 'task_state', 'tool_affordances', 'evidence', 'memory', 'history', 'gen_reserve'],
      properties: { tool_affordances: { type: 'array' }, gen_reserve: { type: 'integer' } },
    })
    expect(Object.values(canonicalTiers)).toEqual([0, 1, 1, 2, 3, 4, 5])
    for (const [member, tier] of Object.entries(canonicalTiers)) {
      if (!isTerm('prefill-compiler', member)) throw new Error(`no term ${member}`)
      expect(unify('prefill-compiler', member).tier).toBe(tier)
    }
  })

  it('P-018: holds every item of every section once, in the member of its tier', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const context = toCanonical({ items, frame: { request: 'Why?' }, maxOutputTokens: 900 })
        expect(context.gen_reserve).toBe(900)
        const held = canonicalContextShape.names.flatMap((member) =>
          itemsOf(context, member).map((item) => {
            expect(sectionInfo(item.section).tier).toBe(canonicalTiers[member])
            return item.id
          }),
        )
        expect(held.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
      }),
    )
  })

  it('P-018: items and canonical object are made of each other without loss', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const context = toCanonical({ items, frame: { request: 'Why?' }, maxOutputTokens: 900 })
        const parts = fromCanonical(context)
        expect(parts).toMatchObject({ frame: { request: 'Why?' }, maxOutputTokens: 900 })
        expect(toCanonical(parts)).toEqual(context)
      }),
    )
  })

  it('refuses by name what has no place', () => {
    const item: Item = { id: 'a', section: 'memory', kind: 'text', text: '' }
    const context = toCanonical({ items: [item], maxOutputTokens: 0 })
    expect(() => fromCanonical({ ...context, evidence: [item], memory: [] })).toThrow(/^evidence\[0\]\.section/)
    expect(() => fromCanonical({ ...context, gen_reserve: 0.5 })).toThrow(/^gen_reserve/)
    expect(() => toCanonical({ items: [{ ...item, section: 'reserve' }], maxOutputTokens: 0 })).toThrow(/^items\[0\]/)
  })
})
