import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputOf, runs } from './brief.fixture.ts'
import type { Event } from './brief.fixture.ts'
import { decisionsIn } from './decisions.ts'
import { failuresOf } from './failures.ts'
import { callsIn } from './gone-calls.ts'
import { logOf } from './log.ts'

const log = (events: readonly Event[], kept = 0): readonly string[] => {
  const input = inputOf(events, kept)
  return logOf(input, failuresOf(callsIn(input), input))
}
const uncured = (lines: readonly string[]): string =>
  lines.map((line) => line.replace(/ \(cured at step \d+\)$/, '')).join('\n')

describe('decisions', () => {
  it.each([
    ['Excellent progress!', []],
    ['Let me check lines 9-12:', []],
    ['Now let me run the tests.', []],
    ['Now add the prompting methods at the end of the class:', []],
    ['All checks pass.', []],
    [
      'Great! The config.ts is now in `utils/`, so the path is wrong.',
      ['The config.ts is now in `utils/`, so the path is wrong.'],
    ],
    [
      'The totals differ by one cent in a few orders. I see why.\n\nThe root cause is the rate. We will use the date of delivery.',
      ['The totals differ by one cent in a few orders.', 'The root cause is the rate.'],
    ],
    ['```ts\nconst decided = because\n```', []],
    ['# Plan\n| a | b |', []],
  ])('%j', (text, found) => {
    expect(decisionsIn(text)).toEqual(found)
  })

  it('are cut where they are long', () => {
    const [said = ''] = decisionsIn(`The parser_v2 module ${'is very long '.repeat(40)}.`)
    expect(said.length).toBeLessThanOrEqual(201)
    expect(said).toMatch(/…$/)
  })
})

describe('the log', () => {
  const fails = (command: string, line: string): Event =>
    runs(command, `Traceback (most recent call last):\n  File "a.py", line 1\n${line}`, 'error')

  it('states each failure in its place, the same one by its step, and what cured it wherever that stands', () => {
    const events = [
      fails('python a.py', 'ValueError: first'),
      { user: `please  fix\n${'it '.repeat(60)}` },
      fails('python a.py 2>&1 | tail -5', 'ValueError: first'),
      fails('python b.py', 'KeyError: second'),
      runs('python a.py', 'fine'),
      runs('ls', 'a.py'),
    ]
    expect(log(events, 2)).toEqual([
      '! [step 1] ValueError: first (cured at step 4)',
      `USER: please fix ${'it '.repeat(60).slice(0, 69)}…`,
      '! [step 2] as at step 1 (cured at step 4)',
      '! [step 3] KeyError: second',
    ])
  })

  it('a search without hits and a file that quotes an error have not failed', () => {
    expect(
      log([
        runs('grep -n x a.ts', '(no output)\n\nCommand exited with code 1'),
        runs('cat a.log', 'a\nb\nc\nValueError: old'),
      ]),
    ).toEqual([])
  })

  it('of a failure that says nothing else it names the command', () => {
    expect(log([runs('make  all', '(no output)\n\nCommand exited with code 2')])).toEqual([
      '! [step 1] exit 2: make all',
    ])
  })

  const event = fc.oneof(
    fc.nat(500).map((at): Event => ({
      says: `The module number_${at} is wrong because of value ${at}. ${'More words. '.repeat(9)}`,
    })),
    fc.nat(500).map((at): Event => ({ user: `request ${at}` })),
    fc.tuple(fc.nat(9), fc.nat(20)).map(([command, at]) => fails(`python t${command}.py`, `ValueError: number ${at}`)),
    fc.nat(9).map((command) => runs(`python t${command}.py`, 'fine')),
  )

  it('of a longer run begins with that of a shorter one, but for what was cured', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 2, maxLength: 60 }), fc.nat(60), (events, cut) => {
        const shorter = events.slice(0, cut)
        expect(uncured(log(events)).startsWith(uncured(log(shorter)))).toBe(true)
      }),
    )
  })

  it('never leaves out an open failure, however long it is', () => {
    const words = Array.from({ length: 400 }, (_, at): Event => ({
      says: `The module number_${at} is wrong because of the value ${at}.`,
    }))
    const open = Array.from({ length: 30 }, (_, at) => fails(`python o${at}.py`, `ValueError: open ${at}`))
    const lines = log([...open, ...words, ...open, ...words])
    expect(lines[0]).toMatch(/^Up to step \d+ only some/)
    expect(lines.join('\n').length).toBeLessThan(16_000)
    for (let at = 0; at < 30; at += 1) expect(lines).toContain(`! [step ${at + 1}] ValueError: open ${at}`)
  })
})
