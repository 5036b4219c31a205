import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedRegions } from './changed-regions.ts'
import { kindOfChange } from './kind-of-change.ts'
import type { ChangeKind } from './kind-of-change.ts'

const cases: readonly (readonly [ChangeKind, readonly string[], readonly string[]])[] = [
  ['clock', ['Today is Monday, 10:00.'], ['Today is Tuesday, 11:00.']],
  ['clock', ['Request req_a81k2j3h'], ['Request req_b71k2j3h']],
  ['count', ['Tokens left: 182,034'], ['Tokens left: 9,100']],
  ['count', ['Step 1 of 20 (5%)'], ['Step 19 of 20 (95%)']],
  ['value', ['Working directory: /home/ann/app'], ['Working directory: /home/ann/app/src']],
  ['value', ['You are on branch main_2.'], ['You are on branch fix/login.']],
  ['value', ['<env nonce="k3J9"/>'], ['<env nonce="pQ7z"/>']],
  ['value', [' M src/a.ts'], [' M src/a.ts', '?? src/b.ts']],
  ['value', [' M src/a.ts'], []],
  ['value', ['?? src/a.ts'], [' M src/c.ts']],
  ['value', ['- Branch: main'], ['- Branch: release']],
  ['value', ['Mode: plan only'], ['Mode: build']],
  ['words', ['Rule: never push to any branch of this.'], ['Rule: push to any branch of this.']],
  ['words', ['You plan.'], ['You build.']],
  ['words', ['Allow: /etc'], ['Deny: /etc']],
  ['words', ['Never push.'], []],
  ['words', [], ['Be kind.']],
  ['words', ['Ask before you write to /srv.'], ['Write to /srv.']],
  ['words', ['main'], ['release']],
]

describe('what has changed in lines', () => {
  it.each(cases)('%s: %j, then %j', (kind, before, now) => {
    expect(kindOfChange(before, now)).toBe(kind)
  })
})

describe('where lines have changed', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', ''), { maxLength: 12 })

  it('is all that differs, in order, and nothing else', () => {
    fc.assert(
      fc.property(lines, lines, (base, now) => {
        const regions = changedRegions(base, now)
        const built: string[] = []
        let at = 0
        for (const { base: from, now: to } of regions) {
          expect(from[0]).toBeGreaterThanOrEqual(at)
          built.push(...base.slice(at, from[0]), ...now.slice(...to))
          at = from[1]
        }
        expect([...built, ...base.slice(at)]).toEqual(now)
        if (base.join('\n') === now.join('\n') && base.length === now.length) expect(regions).toEqual([])
      }),
    )
  })

  it('are as few lines as there are', () => {
    const text = Array.from({ length: 2000 }, (_, index) => `line ${index % 1990}`)
    const now = text.with(10, 'x').with(1500, 'y').toSpliced(900, 0, 'new')
    expect(changedRegions(text, now)).toEqual([
      { base: [10, 11], now: [10, 11] },
      { base: [900, 900], now: [900, 901] },
      { base: [1500, 1501], now: [1501, 1502] },
    ])
  })
})
