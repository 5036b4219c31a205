import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, ItemLink } from '../../core/index.ts'
import { evidence, isPrehendError, linkMethods } from '../../core/index.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'
import { compile, input, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'

const scan: Item = {
  id: 'scan',
  section: 'evidence',
  kind: 'media',
  text: '',
  provenance: { sourceId: 'archive' },
  media: { type: 'image', width: 400, height: 400, url: 'https://archive.example/4711.png' },
  tokens: 300,
}
const readOff = evidence('Invoice 4711: 12 chairs.', 'reader', {
  id: 'read',
  links: [{ itemId: 'scan', method: 'ocr', confidence: 0.93 }],
})
const chart: Item = { ...scan, id: 'chart', links: [{ itemId: 'figures', method: 'rendering' }] }
const figures = evidence(words(400, 'figure'), 'ledger', { id: 'figures' })
const items = [scan, readOff, chart, figures]

const packed = (changed: Partial<CompileInput>): CompileResult =>
  compile(input({ items, frame: { request: 'How many?' }, budget: { windowTokens: 20_000 }, ...changed }))

const lastText = ({ pack }: CompileResult): string => pack?.messages.at(-1)?.text ?? ''
const handleOf = ({ manifest }: CompileResult, id: string): string =>
  manifest.decisions.find(({ itemId }) => itemId === id)?.handle ?? 'none'

/** As much room as leaves out what is of least worth. */
const without = (id: string): Partial<CompileInput> => {
  const floors = { relevance: 0.5, freshness: 0, authority: 0 }
  const low = items.map((item) => (item.id === id ? { ...item, scores: { relevance: 0.1 } } : item))
  return { items: low, policy: { ...careful, id: 'floored', floors } }
}

describe('P-093', () => {
  it.each(['headers', 'xml', 'canonical'] as const)('a payload names what is linked, and how (%s)', (markup) => {
    const text = lastText(packed({ markup }))
    expect(text).toContain('EVIDENCE_TEXT_1 is the text, as read, of EVIDENCE_IMG_1, confidence 0.93')
    expect(text).toContain('EVIDENCE_IMG_2 is a picture of EVIDENCE_TEXT_2')
    const places =
      markup === 'xml'
        ? ['id="EVIDENCE_TEXT_1"', 'id="EVIDENCE_IMG_1"']
        : ['- EVIDENCE_TEXT_1 [reader]', '- EVIDENCE_IMG_1 [media]']
    for (const place of places) expect(text).toContain(place)
  })

  it.each(['scan', 'read'])(
    'where one side is left out, the other tells how it is linked and by which handle it comes back: %s',
    (id) => {
      const result = packed(without(id))
      const call = `(not shown: rehydrate("${handleOf(result, id)}"))`
      const [text, picture] =
        id === 'scan' ? ['EVIDENCE_TEXT_1', `EVIDENCE_IMG_1 ${call}`] : [`EVIDENCE_TEXT_1 ${call}`, 'EVIDENCE_IMG_1']
      expect(lastText(result)).toContain(`${text} is the text, as read, of ${picture}, confidence 0.93`)
      const [link] = result.manifest.links ?? []
      const gone = link?.from.itemId === id ? link.from : link?.to
      expect(gone).toMatchObject({ itemId: id, rung: 'omitted', handle: handleOf(result, id) })
    },
  )

  it('what is shown in part has its handle there, too', () => {
    const result = packed({ budget: { windowTokens: 1_350, maxOutputTokens: 100 } })
    const short = result.manifest.decisions.find(({ itemId }) => itemId === 'figures')
    expect(short?.rung).not.toBe('full')
    const state = short?.rung === 'omitted' ? 'not shown' : 'shown in part'
    expect(lastText(result)).toContain(`is a picture of EVIDENCE_TEXT_2 (${state}: rehydrate("${short?.handle}"))`)
  })

  it('without handles it says that the other side is not shown, and no more', () => {
    const result = packed({ ...without('scan'), rehydration: false })
    expect(lastText(result)).toContain('EVIDENCE_IMG_1 (not shown), confidence')
    expect(lastText(result)).not.toContain('rehydrate(')
  })

  it('the receipt of a conversation has both ends, with their modalities, and the handle of what is left out', () => {
    const result = packed({ ...without('scan'), layout: 'messages' })
    expect(result.manifest.links).toEqual([
      {
        from: { itemId: 'read', label: 'EVIDENCE_TEXT_1', modality: 'text', rung: 'full' },
        to: {
          itemId: 'scan',
          label: 'EVIDENCE_IMG_1',
          modality: 'image',
          rung: 'omitted',
          handle: handleOf(result, 'scan'),
        },
        method: 'ocr',
        confidence: 0.93,
      },
      expect.objectContaining({ method: 'rendering' }),
    ])
  })

  it('of two items that are both left out nothing is said, and without links everything is as it was', () => {
    const low = items.map((item) => ({ ...item, scores: { relevance: 0.1 } }))
    const floored = { ...careful, id: 'floored', floors: { relevance: 0.5, freshness: 0, authority: 0 } }
    const none = packed({ items: low, policy: floored })
    expect(none.manifest.links).toBeUndefined()
    expect(lastText(none)).not.toContain('LINKS')
    const bare = items.map((item): Item => ({ ...item, links: [] }))
    expect(lastText(packed({ items: bare }))).not.toMatch(/LINKS|EVIDENCE_/)
  })

  it('an item that comes later renames none, and a compiler that remembers says the same', () => {
    const kept = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const given = (some: readonly Item[]): CompileInput => input({ items: some, frame: { request: 'How many?' } })
    const bare = [scan, { ...readOff, links: [] }, chart, figures]
    for (const some of [bare, items, [...items, { ...scan, id: 'later' }], items]) {
      const { pack, manifest } = kept.compile(given(some))
      const fresh = compile(given(some))
      expect(pack).toEqual(fresh.pack)
      expect(manifest).toEqual(fresh.manifest)
      expect(manifest.links?.some(({ to }) => to.label === 'EVIDENCE_TEXT_2')).toBe(true)
    }
  })

  it('never takes more than there is, whatever is left out', () => {
    const many = Array.from({ length: 8 }, (_, at): readonly Item[] => [
      { ...scan, id: `scan ${at}` },
      evidence(words(40, `read${at}x`), 'reader', {
        id: `read ${at}`,
        links: [{ itemId: `scan ${at}`, method: 'ocr' }],
      }),
    ]).flat()
    for (let windowTokens = 1_200; windowTokens < 4_000; windowTokens += 200) {
      const { pack, budget } = packed({ items: many, budget: { windowTokens, maxOutputTokens: 100 } })
      expect(pack?.tokens ?? 0).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
    }
  })

  const anyLinked = fc.array(
    fc.record({
      size: fc.integer({ min: 1, max: 150 }),
      isPicture: fc.boolean(),
      to: fc.nat(),
      section: fc.constantFrom('evidence', 'memory', 'history', 'situation'),
    }),
    { minLength: 2, maxLength: 10 },
  )

  it('both ends of every link are told as they are shown, of any items, in any room', () => {
    fc.assert(
      fc.property(
        anyLinked,
        fc.integer({ min: 400, max: 4_000 }),
        fc.constantFrom<'payload' | 'messages'>('payload', 'messages'),
        fc.constantFrom<'headers' | 'xml' | 'canonical'>('headers', 'xml', 'canonical'),
        (facts, windowTokens, layout, markup) => {
          const linked = facts.map(({ size, isPicture, to, section }, at): Item => {
            const links: readonly ItemLink[] =
              to % facts.length === at ? [] : [{ itemId: `i${to % facts.length}`, method: 'crop' }]
            const about = { id: `i${at}`, section, provenance: { sourceId: 's' }, links }
            return isPicture
              ? { ...scan, ...about, tokens: size, media: { type: 'image', url: `https://x.example/${at}.png` } }
              : { ...about, kind: section === 'evidence' ? 'evidence' : 'text', text: words(size, `w${at}x`) }
          })
          const given = { items: linked, layout, budget: { windowTokens, maxOutputTokens: 100 } }
          const result = packed({ ...given, ...(layout === 'payload' && { markup }) })
          const { pack, manifest, budget } = result
          if (pack === undefined) return
          expect(pack.tokens).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
          const shown = new Map(pack.entries.map(({ itemId, rung }) => [itemId, rung]))
          const wanted = linked.flatMap(({ id, links = [] }) =>
            links.flatMap(({ itemId }) => (shown.has(id) || shown.has(itemId) ? [[id, itemId]] : [])),
          )
          expect((manifest.links ?? []).map(({ from, to }) => [from.itemId, to.itemId])).toEqual(wanted)
          for (const { from, to } of manifest.links ?? [])
            for (const end of [from, to]) {
              expect([end.itemId, end.rung]).toEqual([end.itemId, shown.get(end.itemId) ?? 'omitted'])
              if (end.handle !== undefined) expect(end.handle).toBe(handleOf(result, end.itemId))
              if (layout === 'payload') expect(lastText(result)).toContain(end.label)
            }
        },
      ),
      { numRuns: 200 },
    )
  })

  it.each([
    [[{ itemId: 'gone', method: 'ocr' }], 'items[1].links[0].itemId'],
    [[{ itemId: 'read', method: 'ocr' }], 'items[1].links[0].itemId'],
    [linkMethods.slice(0, 2).map((method) => ({ itemId: 'scan', method })), 'items[1].links[1].itemId'],
    [[{ itemId: 'scan', method: 'orc' }], 'items[1].links[0].method'],
    [[{ itemId: 'scan', method: 'ocr', confidence: 2 }], 'items[1].links[0].confidence'],
  ] as readonly (readonly [readonly ItemLink[], string])[])(
    'a link that leads nowhere is refused: %j',
    (links, field) => {
      const wrong = items.map((item) => (item.id === 'read' ? { ...item, links } : item))
      for (const layout of ['messages', 'payload'] as const) {
        const compiling = (): CompileResult => packed({ items: wrong, layout })
        expect(compiling).toThrow(
          expect.toSatisfy(
            (error: unknown) => isPrehendError(error) && 'field' in error.data && error.data.field === field,
          ),
        )
      }
    },
  )
})
