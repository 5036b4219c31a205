import { describe, expect, it } from 'vitest'
import { citationsOf, strayNumbers } from './citations.ts'
import { findFaults } from './find-faults.ts'
import type { Capability } from './requirement.ts'
import { parseCapability } from './requirement.ts'
import { requirementsPage } from './requirements-page.ts'

const cited = (text: string) => [...citationsOf([{ path: 'src/a.test.ts', text }]).keys()]

const capability: Capability = {
  capability: 'S03',
  title: 'Counting tokens',
  requirements: [
    { number: 'C-005', status: 'proven', sentence: 'Counts are exact.' },
    { number: 'C-006', status: 'partly', sentence: 'A guess is near | far.', missing: 'Nothing guesses.' },
    { number: 'N-17', status: 'none', sentence: 'Errors are reported.' },
  ],
}
const exact = { path: 'src/tokens/exact.test.ts', text: "it('C-005: counts', () => {})" }

describe('citationsOf', () => {
  it('finds numbers in titles and comments, each once a file, with its files in order', () => {
    const files = [
      { path: 'src/b.test.ts', text: "it('P-008, X-02: one', run) // P-008" },
      { path: 'src/a.test.ts', text: "it('an outcome (P-008)', run)" },
    ]
    expect([...citationsOf(files)]).toEqual([
      ['P-008', ['src/a.test.ts', 'src/b.test.ts']],
      ['X-02', ['src/b.test.ts']],
    ])
  })

  it('takes hashes, other letters and other lengths for what they are', () => {
    expect(cited('SHA-256, x-A-001, P-0081, P-81, X-021, Q-01, A-001-b, utf-8, B-1')).toEqual([])
  })
})

describe('strayNumbers', () => {
  const straysOf = (text: string) => strayNumbers([{ path: 'src/a.ts', text }])

  it('names numbers in doc comments, of one line and of several', () => {
    const told = 'src/a.ts has P-008, X-02 in a doc comment; say the reason in words'
    expect(straysOf('/** The price (P-008). */\n/**\n * Held (X-02).\n */')).toEqual([told])
  })

  it('lets them stand inside of functions and in texts', () => {
    expect(straysOf("const id = 'P-008'\n  // Ranked sets only (B-08).\n  total *= P-008\n/** SHA-256. */")).toEqual([])
  })
})

describe('findFaults', () => {
  const faultsOf = (...texts: readonly string[]) =>
    findFaults([capability], citationsOf(texts.map((text, index) => ({ path: `src/${index}.test.ts`, text }))))

  it('finds nothing where what is proven is cited and what is partly there may be', () => {
    expect(faultsOf('C-005')).toEqual([])
    expect(faultsOf('C-005', 'C-006')).toEqual([])
  })

  it('names a number that does not exist, one proven without a test, and one cited though there is none of it', () => {
    expect(faultsOf('C-999, C-005')).toEqual(['C-999 does not exist, and is cited in src/0.test.ts'])
    expect(faultsOf('')).toEqual(['C-005 is called proven, and no test cites it'])
    expect(faultsOf('C-005', 'N-17')).toEqual(['N-17 is called none, and is cited in src/1.test.ts'])
  })

  it('names a number that is stated twice', () => {
    expect(findFaults([capability, capability], citationsOf([exact]))).toEqual([
      'C-005 is stated twice',
      'C-006 is stated twice',
      'N-17 is stated twice',
    ])
  })
})

describe('parseCapability', () => {
  const parse = (requirement: object) =>
    parseCapability(JSON.stringify({ ...capability, requirements: [{ sentence: 'So.', ...requirement }] }))

  it('reads back what it was given', () => {
    expect(parseCapability(JSON.stringify(capability))).toEqual(capability)
  })

  it('wants to know what is missing exactly where something is', () => {
    expect(() => parse({ number: 'C-005', status: 'partly' })).toThrow('missing')
    expect(() => parse({ number: 'C-005', status: 'proven', missing: 'All.' })).toThrow('missing')
  })

  it('refuses a number that no test could cite, and a status that does not exist', () => {
    expect(() => parse({ number: 'C-5', status: 'none' })).toThrow('number')
    expect(() => parse({ number: 'C-005', status: 'done' })).toThrow('status')
  })
})

describe('requirementsPage', () => {
  const page = requirementsPage([capability], citationsOf([exact]))

  it('counts by kind and by capability', () => {
    expect(page).toContain('| requirements (G, V, C, P, A) | 1 | 1 | 0 | 2 |')
    expect(page).toContain('| figures (N) | 0 | 0 | 1 | 1 |')
    expect(page).toContain('| [S03](#s03) Counting tokens | 1 | 1 | 1 | 3 |')
  })

  it('has a row for each number, with links to the files of its tests and what is missing', () => {
    expect(page).toContain(
      '| C-005 | Counts are exact. | proven | [tokens/exact](../src/tokens/exact.test.ts) |  |\n' +
        '| C-006 | A guess is near \\| far. | partly |  | Nothing guesses. |\n' +
        '| N-17 | Errors are reported. | none |  |  |\n',
    )
  })
})
