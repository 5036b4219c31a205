import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrehendError } from '../core/index.ts'
import { deltaCompressor } from './delta-compressor.ts'
import type { CompressorState, Segment, SegmentFrame } from './delta-compressor.ts'
import { fastHash } from './fast-hash.ts'
import { sha256 } from './governor.fixture.ts'

const segment = (name: string, text: string, tokens = 1): Segment => ({ name, text, tokens })
const fixed = Array.from({ length: 9 }, (_, at) => segment(`s${at}`, `words ${at}`, 100))
const compressor = deltaCompressor({ budgetTokens: 1_000 })

/** What is sent run after run. */
function frames(runs: readonly (readonly Segment[])[], regimes: readonly string[] = []): readonly SegmentFrame[] {
  let state: CompressorState | undefined
  return runs.map((segments, at) => {
    const regime = regimes[at]
    const run = compressor.compress({ segments, ...(regime !== undefined && { regime }) }, state)
    state = run.state
    return run.frame
  })
}

const kinds = (sent: readonly SegmentFrame[]): readonly string[] =>
  sent.map((frame) => (frame.kind === 'full' ? frame.cause : 'delta'))

describe('V-008, N-35: segments are sent as deltas', () => {
  it('ten in a row, then everything', () => {
    const runs = Array.from({ length: 24 }, (_, at) => [...fixed, segment('now', `tick ${at}`)])
    const ten = Array.from({ length: 10 }, () => 'delta')
    expect(kinds(frames(runs))).toEqual(['first', ...ten, 'deltas', ...ten, 'deltas', 'delta'])
    expect(frames(runs)[1]).toMatchObject({ kind: 'delta', tokens: 1, changed: [{ name: 'now', text: 'tick 1' }] })
  })

  it('up to 30% of the budget, and everything from 31% on', () => {
    const changed = (tokens: number) => [fixed, [...fixed, segment('more', 'more', tokens)]]
    expect(kinds(frames(changed(300)))).toEqual(['first', 'delta'])
    expect(kinds(frames(changed(301)))).toEqual(['first', 'budget'])
    expect(kinds(frames(changed(310)))).toEqual(['first', 'budget'])
  })

  it('within one regime', () => {
    const sent = frames([fixed, fixed, fixed, fixed], ['calm', 'calm', 'storm', 'storm'])
    expect(kinds(sent)).toEqual(['first', 'delta', 'regime', 'delta'])
  })

  it('a full one begins the count anew, whatever it was sent for', () => {
    const runs = Array.from({ length: 15 }, (_, at) => [...fixed, segment('now', `tick ${at}`, at === 5 ? 400 : 1)])
    const sent = kinds(frames(runs))
    expect(sent[5]).toBe('budget')
    expect(sent.slice(6)).toEqual(Array.from({ length: 9 }, () => 'delta'))
  })
})

it('X-24: the hash of segments can be exchanged, and is asked for nothing but segments', () => {
  const hashed: string[] = []
  const counting = (text: string): string => {
    hashed.push(text)
    return sha256(text)
  }
  const own = deltaCompressor({ budgetTokens: 1_000, hash: counting })
  const { state, frame } = own.compress({ segments: [segment('a', 'the words')] })
  expect(hashed).toContain('the words')
  expect(state.segments[0]?.[1]).toContain(createHash('sha256').update('the words').digest('hex'))
  expect(frame.digest).toHaveLength(64)
  expect(compressor.compress({ segments: [segment('a', 'the words')] }).frame.digest).toHaveLength(16)
})

const segmentLists = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
    text: fc.oneof(fc.constantFrom('', 'x', 'y'), fc.string()),
    tokens: fc.nat(40),
  }),
  { selector: ({ name }) => name, maxLength: 5 },
)

describe('what is put together again', () => {
  it('is what was sent, to the byte and in its order, of any runs and through JSON', () => {
    const runs = fc.array(fc.record({ segments: segmentLists, regime: fc.constantFrom('calm', 'storm') }), {
      maxLength: 14,
    })
    fc.assert(
      fc.property(runs, (all) => {
        const own = deltaCompressor({ budgetTokens: 100, mostDeltas: 3 })
        let state: CompressorState | undefined
        let have: readonly Segment[] | undefined
        for (const run of all) {
          const { state: next, frame } = own.compress(run, state)
          expect(own.compress(run, state)).toEqual({ state: next, frame })
          state = JSON.parse(JSON.stringify(next)) as CompressorState
          have = own.reconstruct(JSON.parse(JSON.stringify(frame)) as SegmentFrame, have)
          expect(have).toEqual(run.segments)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('a frame that was missed, or tampered with, is a conflict and never another text', () => {
    const [first, second, third] = frames([fixed, [...fixed, segment('a', '1')], [...fixed, segment('b', '2')]])
    const have = compressor.reconstruct(first!)
    const code = (frame: SegmentFrame): unknown => {
      try {
        return compressor.reconstruct(frame, have)
      } catch (error) {
        return isPrehendError(error) && error.code
      }
    }
    expect(code(second!)).toHaveLength(10)
    expect(code(third!)).toBe('conflict')
    expect(code({ ...(second as SegmentFrame & { kind: 'delta' }), changed: [segment('a', 'other')] })).toBe('conflict')
    expect(() => compressor.reconstruct(second!)).toThrow(/made upon other segments/)
  })

  it('names that stand twice, and figures that make no sense, are errors that name them', () => {
    expect(() => compressor.compress({ segments: [segment('a', ''), segment('a', '')] })).toThrow(
      /segments\[1\]\.name: "a"/,
    )
    expect(() => deltaCompressor({ budgetTokens: -1 })).toThrow(/budgetTokens/)
    expect(() => deltaCompressor({ budgetTokens: 1, fullAbove: 30 })).toThrow(/fullAbove/)
    expect(() => deltaCompressor({ budgetTokens: 1, mostDeltas: 0.5 })).toThrow(/mostDeltas/)
  })
})

describe('the fast hash', () => {
  it('reads the whole text, wherever it changes, and tells near ones apart', () => {
    const long = 'abcdefghij'.repeat(5_000)
    const texts = new Set<string>(['', ' ', long])
    for (let at = 0; at < long.length; at += 97) texts.add(`${long.slice(0, at)}X${long.slice(at + 1)}`)
    for (let at = 0; at < 30_000; at += 1) texts.add(`tick ${at}`).add(String.fromCharCode(at, at + 1))
    const hashes = new Set(Array.from(texts, fastHash))
    expect(hashes.size).toBe(texts.size)
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/)
  })

  it('spreads: one bit of a text changes about half of the bits', () => {
    const bits = (hash: string): bigint => BigInt(`0x${hash}`)
    let changed = 0
    const times = 400
    for (let at = 0; at < times; at += 1) {
      let apart = bits(fastHash(`entry ${at} of many`)) ^ bits(fastHash(`entry ${at} of manx`))
      for (; apart > 0n; apart &= apart - 1n) changed += 1
    }
    expect(changed / times).toBeGreaterThan(26)
    expect(changed / times).toBeLessThan(38)
  })
})
