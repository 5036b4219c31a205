import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distil } from './distil.ts'
import { propositionsOf } from './propositions.ts'

const fees = `## Fees

ENTRY TIER (Light Blue):
- Early closure fee: $15 within 30 days
- Notice period: 0 days

ELITE TIER (Bluest):
- Early closure fee: $100 within 180 days
- Notice period: 14 days`

const talk = [
  'Anna: We looked at the offers. The cheapest one is from Berlin. It costs 1,200 euros a month.',
  'Ben: Okay. Okay, right.',
  'Anna: We looked at the offers, as I said. We decided to take the one from Berlin.',
  'Ben: Right. The contract must not run for more than two years.',
].join('\n')

describe('distil', () => {
  it('P-051: takes propositions that are worth most and new, within the budget', () => {
    const { text, kept, propositions } = distil(talk, { keepRatio: 0.6 })!
    expect(text.length).toBeLessThanOrEqual(0.6 * talk.length + 20)
    expect(kept).toBeLessThan(propositions)
    expect(text).toContain('1,200 euros')
    expect(text).toContain('We decided to take the one from Berlin.')
    expect(text).toContain('must not run for more than two years')
    expect(text).not.toContain('Okay, right')
  })

  it('P-051: what the reader has already is not worth saying again', () => {
    const known = ['The cheapest one is from Berlin. It costs 1,200 euros a month.']
    const fresh = distil(talk, { keepRatio: 0.35 })!.text
    const again = distil(talk, { keepRatio: 0.35, known })!.text
    expect(fresh).toContain('1,200 euros')
    expect(again).not.toContain('1,200 euros')
  })

  it('P-051: more is kept where less would say too little, and nothing is made where that does not help', () => {
    const low = distil(talk, { keepRatio: 0.3 })!
    const high = distil(talk, { keepRatio: 0.3, minFidelity: low.fidelity + 0.1 })!
    expect(high.fidelity).toBeGreaterThanOrEqual(low.fidelity + 0.1)
    expect(high.kept).toBeGreaterThan(low.kept)
    expect(distil(talk, { keepRatio: 0.3, minFidelity: 1.01 })).toBeUndefined()
  })

  it('an item stands under what it belongs to, never under another', () => {
    for (const keepRatio of [0.3, 0.45, 0.6]) {
      const { text } = distil(fees, { keepRatio })!
      const lines = text.split('\n')
      for (const [fact, tier] of [
        ['$15', 'ENTRY'],
        ['0 days', 'ENTRY'],
        ['$100', 'ELITE'],
        ['14 days', 'ELITE'],
      ] as const) {
        const at = lines.findIndex(
          (line) => line.includes(fact) && !(fact === '0 days' && line.includes('30') && !line.includes('Notice')),
        )
        if (at < 0 || (fact === '0 days' && lines[at]?.includes('Notice') !== true)) continue
        expect(lines.slice(0, at).findLast((line) => line.includes('TIER'))).toContain(tier)
      }
    }
  })

  it('A-009: pairs and items go before prose of the same content', () => {
    const prose = 'Somebody told us at some point that the port would probably be the one with the number 8080 there.'
    const text = `${prose}\nport: 8080\nhost: db-1\nuser: app\n${prose.replace('port', 'host').replace('8080', '9090')}`
    const shown = distil(text, { keepRatio: 0.25 })!.text
    for (const pair of ['port: 8080', 'host: db-1', 'user: app']) expect(shown).toContain(pair)
    expect(shown).not.toContain('Somebody')
  })

  it('what states a failure stays', () => {
    const text = `${talk}\nError: ENOENT: no such file or directory, open 'a.json'\n${talk}`
    expect(distil(text, { keepRatio: 0.1 })!.text).toContain("Error: ENOENT: no such file or directory, open 'a.json'")
  })

  it('every proposition that it shows stands in the text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('A b c. ', 'x: 1\n', '- one two\n', '\n\n', '# H\n', 'No 5. ', 'It is so. ', 'S: Hm. Yes.\n'),
          { maxLength: 30 },
        ),
        fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        (parts, keepRatio) => {
          const text = parts.join('')
          const made = distil(text, { keepRatio })
          if (made === undefined) return
          const said = new Set(propositionsOf(text).map((one) => one.text))
          for (const one of propositionsOf(made.text))
            expect([...said].some((other) => other.includes(one.text) || one.text.endsWith(other))).toBe(true)
          expect(made.fidelity).toBeGreaterThanOrEqual(0)
          expect(made.fidelity).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
