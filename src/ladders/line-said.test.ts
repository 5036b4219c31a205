import { describe, expect, it } from 'vitest'
import type { ConversationContext } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { lineRelevance } from './line-relevance.ts'
import { freshWorths, pageLine, saidLines } from './line-said.ts'

const nobody = { has: () => false }
const worthOf = (...lines: readonly string[]) => [...freshWorths(saidLines(lines), nobody)]

describe('what lines say', () => {
  it.each([
    ['a price', 'generic: $249.00'],
    ['a state', 'In stock'],
    ['a sentence', 'Returns are free of charge within sixty days of delivery.'],
    ['a date', 'due on 14 March 2026'],
    ['Chinese', '退货期限为收货后十五天,运费由买方承担。'],
    ['Cyrillic', 'Возврат билетов возможен после покупки.'],
  ])('is worth something: %s', (_, line) => {
    const [worth = 0, rule = 0] = worthOf(line, '----------')
    expect(worth).toBeGreaterThan(0.01)
    expect(rule).toBe(0)
  })

  it('is worth nothing said again after the same line, and half below another', () => {
    const [, first = 0, , again, , other] = worthOf('Tent A', 'In stock', 'Tent A', 'In stock', 'Tent B', 'In stock')
    expect(again).toBe(0)
    expect(other).toBeCloseTo(first / 2)
  })

  it('of a page is what its reader sees', () => {
    expect(pageLine('    - generic [ref=e44]: $249.00').trim()).toBe('$249.00')
    expect(pageLine('      - /url: /p/TE71078')).toBe('')
    expect(pageLine('[14]<a aria-label=product>Storm Shelter />').trim()).toBe('Storm Shelter')
  })

  it('a long product page keeps prices and states, and folds what stands in every page', () => {
    const menu = ['Camping', 'Climbing', 'Running', 'Sale', 'Stores', 'Help', 'Careers', 'Press', 'Privacy', 'Basket']
    const chrome = menu.map((label, at) => `  - link "${label}" [ref=e${at}] [cursor=pointer]`)
    const items = Array.from({ length: 12 }, (_, at) => [
      `  - link "Ridge Tent ${at}" [ref=e${at + 20}]`,
      `  - generic [ref=e${at + 40}]: $${at + 200}.50`,
      `  - generic [ref=e${at + 60}]: ${at % 2 === 0 ? 'In stock' : 'Sold out'}`,
    ])
    const text = ['- generic [ref=e1]:', ...chrome, ...items.flat(), ...chrome].join('\n')
    const said = new Set(saidLines(chrome, pageLine).pairs)
    const conversation: ConversationContext = { visible: new Set(), said, age: 6, lineWorth: 0.001 }
    const item = { id: 'i', section: 'history', kind: 'tool-result', text } as const
    const count = (shown: string) => Math.ceil(shown.length / 3.5)
    const shown = ladderFor(item, { count, handle: '482915037114', conversation }).at(-1)?.text ?? ''
    for (const line of items.flat()) expect(shown).toContain(line)
    expect(shown).toMatch(/folded/)
    expect(shown.split('Careers').length).toBeLessThan(text.split('Careers').length)
  })
})

describe('what is asked for', () => {
  it('tells lines apart by its rare words, in any script, and not where it is about everything', () => {
    const lines = ['The tent is green.', 'The tent has free returns.', 'The tent is large.', 'The tent is old.']
    const found = lineRelevance(lines, new Set(['tent', 'return']), 20)
    expect(found?.[1]).toBeGreaterThan(found?.[3] ?? 1)
    expect(lineRelevance(['第一章', '退货期限为十天'], new Set(['退货', '期限']), 20)?.[1]).toBeGreaterThan(0)
    const all = new Set(Array.from({ length: 60 }, (_, at) => `word${at}`))
    expect(lineRelevance(['word1 word2'], all, 20)).toBeUndefined()
  })
})
