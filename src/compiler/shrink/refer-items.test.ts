import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, ItemSimilarity, Layout, Policy, ReferencePolicy } from '../../core/index.ts'
import { compile, evidence, input, itemOf } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'

const rule =
  'The deposit of 500 euros is returned to the tenant within 30 days after the keys are back at the office of Maria Keller in the old town of Lübeck.'

interface Packing {
  readonly items: readonly Item[]
  readonly references?: ReferencePolicy | undefined
  readonly layout?: Layout
  readonly windowTokens?: number
  readonly similarities?: readonly ItemSimilarity[]
  readonly rehydration?: boolean
  readonly floors?: Policy['floors']
}

function pack({
  items,
  references = {},
  layout = 'payload',
  windowTokens = 100_000,
  similarities,
  rehydration = true,
  floors = careful.floors,
}: Packing) {
  const question = itemOf('history', 'q', 'And when do I get it back?', { role: 'user' })
  const { frame, ...rest } = input({
    items: layout === 'payload' ? items : [...items, question],
    policy: { ...careful, references, reserveShare: 0, floors },
    budget: { windowTokens },
    layout,
    rehydration,
    ...(similarities && { similarities }),
  })
  const made = compile(layout === 'payload' ? { ...rest, ...(frame && { frame }) } : rest)
  const entries = made.pack?.entries ?? []
  const textOf = (id: string): string | undefined => entries.find(({ itemId }) => itemId === id)?.text
  return { ...made, entries, textOf, isReference: (id: string) => textOf(id)?.startsWith('[REF: ') === true }
}

const twice = (changed: string, about: Partial<Item> = {}): readonly Item[] => [
  evidence('e1', rule),
  itemOf('memory', 'm1', changed, about),
]

describe.each<Layout>(['payload', 'messages'])('references between sections, layout %s', (layout) => {
  it('P-049, G-057: what stands in two sections is said once, and the other names it, what it says, and the way back', () => {
    const { textOf, manifest } = pack({ items: twice(rule), layout })
    expect(textOf('e1')).toBe(rule)
    expect(textOf('m1')).toMatch(/^\[REF: e1 - The deposit of 500 euros is returned to\] rehydrate\("\d{12}"\)$/)
    expect(manifest.decisions.find(({ itemId }) => itemId === 'm1')).toMatchObject({
      reason: 'repeats',
      rung: 'lossless',
    })
    expect(manifest.packTokens).toBeLessThan(
      pack({ items: twice(rule), layout, references: { enabled: false } }).manifest.packTokens,
    )
  })

  it('X-21: other white space, case and punctuation are the same, and so are a few other words', () => {
    expect(
      pack({
        items: twice(rule.toUpperCase().replace('MARIA KELLER', 'Maria Keller').replace('LÜBECK', 'Lübeck')),
        layout,
      }).isReference('m1'),
    ).toBe(false)
    expect(pack({ items: twice(`  ${rule.replaceAll(' ', '\n')}!`), layout }).isReference('m1')).toBe(true)
    expect(pack({ items: twice(rule.replace('to the tenant', 'to a tenant')), layout }).isReference('m1')).toBe(true)
    expect(
      pack({
        items: twice(rule.replace('old town', 'poor town')),
        layout,
        references: { similarity: 0.5 },
      }).isReference('m1'),
    ).toBe(false)
  })

  it('X-21: never where figures, names, denials or opposites differ, however alike the words are', () => {
    for (const other of [
      rule.replace('500', '600'),
      rule.replace('30 days', '31 days'),
      rule.replace('Maria Keller', 'Maria Kessler'),
      rule.replace('is returned', 'is not returned'),
      rule.replace('after', 'before'),
    ]) {
      const { isReference } = pack({
        items: twice(other),
        layout,
        references: { similarity: 0.3 },
        similarities: [{ a: 'e1', b: 'm1', similarity: 1 }],
      })
      expect(isReference('m1')).toBe(false)
    }
  })

  it('X-21: what a model of meaning says is above 0.92 refers, and at 0.92 does not', () => {
    const other =
      'Tenants get back their deposit of 500 euros at most 30 days from when Maria Keller has the keys again at her office in Lübeck, which is in the old town.'
    const items = [evidence('e1', rule.replace(' after', ' from when')), itemOf('memory', 'm1', other)]
    const guarded = pack({ items, layout, similarities: [{ a: 'e1', b: 'm1', similarity: 0.99 }] })
    expect(guarded.isReference('m1')).toBe(false)
    const plain = [
      evidence(
        'e1',
        'The harbour of the town was liked by the merchants of the coast, who came with their ships when the weather was good enough for them.',
      ),
      itemOf(
        'memory',
        'm1',
        'Merchants from the coast liked the harbour of this town and sailed there with their ships whenever the weather had become good enough for that.',
      ),
    ]
    const at = (similarity: number) =>
      pack({ items: plain, layout, similarities: [{ a: 'm1', b: 'e1', similarity }] }).isReference('m1')
    expect([at(0.92), at(0.921)]).toEqual([false, true])
  })

  it('B-55: what is referred to stands before its references, and is never itself one', () => {
    const items = [...twice(rule), itemOf('situation', 's1', rule)]
    const { entries, isReference } = pack({ items, layout })
    const first = entries.findIndex(({ text }) => text === rule)
    const references = entries.flatMap(({ itemId }, at) => (isReference(itemId) ? [at] : []))
    expect(references).toHaveLength(2)
    expect(references.every((at) => at > first)).toBe(true)
  })

  it('within a section nothing refers: what was said twice there stands as it did', () => {
    const { isReference } = pack({ items: [evidence('e1', rule), evidence('e2', `${rule}!`)], layout })
    expect([isReference('e1'), isReference('e2')]).toEqual([false, false])
  })

  it('where no handle can be followed only the very same refers', () => {
    const near = pack({ items: twice(rule.replace('to the tenant', 'to a tenant')), layout, rehydration: false })
    expect(near.isReference('m1')).toBe(false)
    expect(pack({ items: twice(rule), layout, rehydration: false }).textOf('m1')).toBe(
      '[REF: e1 - The deposit of 500 euros is returned to]',
    )
  })
})

describe('references of a payload', () => {
  it('P-049: instructions keep what evidence repeats, and of one place the item with the most authority keeps', () => {
    const policyToo = pack({ items: [itemOf('policy', 'p', rule, { kind: 'instruction' }), ...twice(rule)] })
    expect([policyToo.isReference('p'), policyToo.isReference('e1'), policyToo.isReference('m1')]).toEqual([
      false,
      true,
      true,
    ])
    expect(policyToo.textOf('e1')).toContain('[REF: p - ')
    const weak = evidence('weak', rule, { scores: { authority: 0.1 } })
    const strong = evidence('strong', `${rule} `, { scores: { authority: 0.9 } })
    expect(pack({ items: [weak, strong, itemOf('memory', 'm1', rule)] }).textOf('m1')).toContain('[REF: strong - ')
    const fromTool = evidence('tool', rule, { authority: 'tool', scores: { authority: 0.9 } })
    const told = evidence('told', `${rule} `, { authority: 'user', scores: { authority: 0.1 } })
    expect(pack({ items: [fromTool, told, itemOf('memory', 'm1', rule)] }).textOf('m1')).toContain('[REF: told - ')
  })

  it('B-55: where one text is like two that are not like each other, nothing refers to a reference', () => {
    const texts = [
      'The harbour of the town was liked by the merchants of the coast, who came with their ships when the weather was good enough for them.',
      'Merchants from the coast liked the harbour of this town and sailed there with their ships whenever the weather had become good enough for that.',
      'The merchants of the coast came to the town with ships and liked the harbour there, when for them the weather was good enough to sail.',
    ]
    const items = [
      evidence('e1', texts[0] ?? ''),
      itemOf('memory', 'm1', texts[1] ?? ''),
      itemOf('situation', 's1', texts[2] ?? ''),
    ]
    const ids = items.map(({ id }) => id)
    // Whichever two are unlike, the third is like both.
    for (const third of ids) {
      const [one = '', other = ''] = ids.filter((id) => id !== third)
      const similarities: readonly ItemSimilarity[] = [
        { a: one, b: third, similarity: 0.99 },
        { a: third, b: other, similarity: 0.99 },
        { a: one, b: other, similarity: 0.1 },
      ]
      const { entries, textOf } = pack({ items, similarities })
      const names = entries.flatMap(({ text }) => /^\[REF: (\S+) - /.exec(text)?.[1] ?? [])
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) expect(textOf(name)).not.toContain('[REF: ')
    }
  })

  it('P-049: nothing refers to what is not shown: then it stands by itself', () => {
    const items = [evidence('e1', rule, { scores: { relevance: 0.01 } }), itemOf('memory', 'm1', rule)]
    const { textOf, isReference, manifest } = pack({ items, floors: { ...careful.floors, relevance: 0.5 } })
    expect(textOf('e1')).toBeUndefined()
    expect(isReference('m1')).toBe(false)
    expect(manifest.decisions.find(({ itemId }) => itemId === 'm1')?.rung).toBe('full')
  })

  it('P-050: a reference that would not save a token is not made', () => {
    const refers = (name: string): boolean =>
      pack({ items: [evidence(name, rule), itemOf('memory', 'm1', rule)] }).isReference('m1')
    // The reference names what it refers to, and a long name takes more than the text that it would save.
    expect([refers('e1'), refers('a1-b2-c3-d4-e5-'.repeat(12))]).toEqual([true, false])
  })

  it('no reference dangles, whatever has room', () => {
    const parts = ['The one says this about it.', 'Another thing is that it was so.', rule, rule.replace('500', '900')]
    const item = fc.tuple(
      fc.constantFrom('evidence', 'memory', 'situation'),
      fc.constantFrom(...parts.map((part) => `${part} ${rule}`)),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(item, { maxLength: 9 }), fc.integer({ min: 350, max: 1500 }), (made, windowTokens) => {
        const items = made.map(([section, text, relevance], at) =>
          section === 'evidence'
            ? evidence(`i${at}`, text, { scores: { relevance } })
            : itemOf(section, `i${at}`, text, { scores: { relevance } }),
        )
        const { entries } = pack({ items, windowTokens })
        for (const [at, { text }] of entries.entries()) {
          const [, id] = /^\[REF: (\S+) - /.exec(text) ?? []
          if (id !== undefined)
            expect(
              entries
                .slice(0, at)
                .some(({ itemId, rung }) => itemId === id && (rung === 'full' || rung === 'lossless')),
            ).toBe(true)
        }
      }),
    )
  })
})
