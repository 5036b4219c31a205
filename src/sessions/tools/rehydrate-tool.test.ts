import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Original } from '../../stores/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import { rehydrateTool } from './rehydrate-tool.ts'

const lines = Array.from(
  { length: 500 },
  (_, index) => `line ${index + 1}${index === 299 ? ' with an Error in it' : ''}`,
)
const text = lines.join('\n')

async function answer(args: unknown, maxChars = 100_000, kept = text): Promise<string> {
  const original = async (handle: string): Promise<Original | undefined> =>
    handle === 'abcd1234' ? { handle, text: kept } : undefined
  const json = typeof args === 'string' ? args : JSON.stringify(args)
  const call = { id: 'c', name: 'rehydrate', arguments: json }
  return (await rehydrateTool.answer(call, { original, originals: async () => [], maxChars })).text
}

describe('the rehydrate tool', () => {
  it('is cheap: 75 tokens, under 90 as it is sent', () => {
    const { name, description, schema: parameters } = rehydrateTool.definition
    const sent = JSON.stringify({ type: 'function', function: { name, description, parameters } })
    expect(tokenizerFor('gpt-5.1').count(sent)).toBeLessThan(90)
  })

  it('N-37: brings the whole original back, to the character', async () => {
    const odd = '\uD800\0 \r\n\t'
    expect(await answer({ handle: 'abcd1234' })).toBe(text)
    expect(await answer({ handle: 'abcd1234' }, 1000, odd)).toBe(odd)
    expect(await answer({ handle: 'abcd1234', lines: '', pattern: '' })).toBe(text)
  })

  it('X-33: takes the address of an original for its handle', async () => {
    expect(await answer({ handle: 'prehend://sessions/my%2Fjob/originals/abcd1234', lines: '7' })).toBe('line 7')
    expect(await answer({ handle: ' prehend://sessions/s/originals/abcd1234' })).toBe(text)
    expect(await answer({ handle: 'https://sessions/s/originals/abcd1234' })).not.toBe(text)
  })

  it('brings back lines, verbatim', async () => {
    expect(await answer({ handle: 'abcd1234', lines: '10-12' })).toBe('line 10\nline 11\nline 12')
    expect(await answer({ handle: 'abcd1234', lines: 7 })).toBe('line 7')
  })

  it('of a call brings back what its strings say, by the lines that its markers count, and all of it as it was written', async () => {
    const body = Array.from({ length: 60 }, (_, at) => `\tthis.set("level_${at}", '\\d')`).join('\n')
    const json = JSON.stringify({ path: 'a.ts', oldText: body, newText: 'x' })
    const original = async (): Promise<Original> => ({ handle: 'abcd1234', text: json, kind: 'tool-call' })
    const ask = async (args: object): Promise<string> => {
      const call = { id: 'c', name: 'rehydrate', arguments: JSON.stringify({ handle: 'abcd1234', ...args }) }
      return (await rehydrateTool.answer(call, { original, originals: async () => [], maxChars: 100_000 })).text
    }
    const brought = await ask({ lines: '4-43' })
    expect(body).toContain(brought)
    expect(brought.split('\n').length).toBeGreaterThan(39)
    expect(await ask({ lines: 'level_7"' })).toContain(`\tthis.set("level_7", '\\d')\n`)
    expect(await ask({})).toBe(json)
  })

  it('brings back lines around a text, in any case, and says which', async () => {
    const found = await answer({ handle: 'abcd1234', pattern: 'error in' })
    expect(found.split('\n')[0]).toBe('[lines 260-340 of 500]')
    expect(found).toContain('line 300 with an Error in it')
    expect(await answer({ handle: 'abcd1234', pattern: 'nothing|line 17' })).toContain('line 17\n')
  })

  it('joins windows that touch, and names those it had no room for', async () => {
    const found = await answer({ handle: 'abcd1234', pattern: 'line 1' }, 900)
    expect(found.split('\n')[0]).toMatch(/^\[lines 1-/)
    const spread = await answer({ handle: 'abcd1234', pattern: 'line 100|line 300 ' }, 1000)
    expect(spread.match(/\[lines/g)).toHaveLength(1)
    expect(spread).toMatch(/\[also in lines 260-340\]$/)
  })

  it('cuts what is too long at a line, and says how to get the rest', async () => {
    const cut = await answer({ handle: 'abcd1234' }, 200)
    expect(cut.length).toBeLessThan(300)
    expect(cut).toMatch(/^\[lines 1-\d+ of 500; ask for others with "lines": a range or words\]\nline 1\n/)
    const asked = await answer({ handle: 'abcd1234', lines: '100-400' }, 200)
    expect(asked).toMatch(/^\[lines 100-\d+ of 500; .*\]\nline 100\n/)
  })

  it.each([
    [{ handle: 'rehydrate("abcd1234")' }],
    [{ handle: '[lines 2-5 folded: rehydrate("abcd1234", "2-5")]' }],
    [{ handle: ' abcd1234 ' }],
    [{ handle: 'abcd1234', other: 1 }],
  ])('understands what models make of a handle: %j', async (args) => {
    expect(await answer(args)).toBe(text)
  })

  it.each([
    ['no JSON', /Call rehydrate with/],
    ['[]', /Call rehydrate with/],
    ['{}', /Call rehydrate with/],
    [{ handle: 5 }, /Call rehydrate with/],
    [{ handle: 'deadbeef' }, /Nothing is kept under the handle "deadbeef"/],
    [{ handle: 'abcd1234', lines: '0-10' }, /from 1 to 500/],
    [{ handle: 'abcd1234', lines: 'first ten' }, /No line of 500 has the text "first ten"/],
    [{ handle: 'abcd1234', lines: '600-700' }, /from 1 to 500/],
    [{ handle: 'abcd1234', pattern: 'not there' }, /No line of 500/],
  ])('answers %j with words that help', async (args, words) => {
    expect(await answer(args)).toMatch(words)
  })

  it('a pattern is text, not a program: no backtracking', async () => {
    const evil = `${'a'.repeat(200_000)}!`
    expect(await answer({ handle: 'abcd1234', pattern: '(a+)+$' }, 1000, evil)).toMatch(/No line/)
  })

  it('never fails and never gives much more than asked for, whatever a model writes', async () => {
    const args = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record(
          { handle: fc.constant('abcd1234'), lines: fc.string(), pattern: fc.string() },
          { requiredKeys: ['handle'] },
        )
        .map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(args, fc.integer({ min: 256, max: 3000 }), async (json, maxChars) => {
        const given = await answer(json, maxChars)
        expect(given.length).toBeGreaterThan(0)
        expect(given.length).toBeLessThan(maxChars + 1500)
      }),
      { numRuns: 300 },
    )
  })
})
