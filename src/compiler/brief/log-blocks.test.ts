import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inputOf, runs } from './brief.fixture.ts'
import type { Event } from './brief.fixture.ts'
import type { BriefInput } from './brief-input.ts'
import { failuresOf } from './failures.ts'
import { callsIn } from './gone-calls.ts'
import { isLeftOut, logBlocks } from './log-blocks.ts'
import { logOf } from './log.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const says = (at: number): string => `The module number_${at} is wrong because of value ${at}.`
const failed = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: the third'

/** A run of so many steps; the third fails, and the user says something before the fifth. */
const run = (steps: number, change: (at: number) => string = says): readonly Event[] =>
  Array.from({ length: steps }, (_, index): readonly Event[] => {
    const at = index + 1
    const command = `python t${at}.py`
    return [
      ...(at === 5 ? [{ user: 'Never touch the rates.' }] : []),
      { says: change(at) },
      at === 3 ? runs(command, failed, 'error') : runs(command, `fine ${at}`),
    ]
  }).flat()

const blocksOf = (events: readonly Event[]) => logBlocks({ items: inputOf(events).items, hash })

describe('blocks of the log of a brief', () => {
  it('are complete, hold what was said and called, and a failure', () => {
    expect(blocksOf(run(20))).toEqual([])
    const [first, ...rest] = blocksOf(run(45))
    expect(rest.map(({ first: from, last }) => [from, last])).toEqual([[21, 40]])
    const texts = first?.turns.map(({ role, text }) => `${role}: ${text}`) ?? []
    expect(texts).toContain('user: Never touch the rates.')
    expect(texts).toContain(`assistant: ${says(7)}`)
    expect(texts).toContain('assistant: Calls bash: {"command":"python t7.py"}')
    expect(texts).toContain(`assistant: bash failed: ${failed}`)
    expect(texts.join()).not.toContain('fine 7')
  })

  it('are named by what they say, whatever follows', () => {
    const keys = (events: readonly Event[]) => blocksOf(events).map(({ key }) => key)
    expect(keys(run(70)).slice(0, 2)).toEqual(keys(run(45)))
    const changed = keys(run(45, (at) => (at === 25 ? 'Something else was said.' : says(at))))
    expect(changed[0]).toBe(keys(run(45))[0])
    expect(changed[1]).not.toBe(keys(run(45))[1])
  })
})

describe('a log with the text of a model', () => {
  const prose = 'It looked at twenty modules.\n[step 9] not one was right.'
  const logWith = (kept: number): readonly string[] => {
    const input = inputOf(run(45), kept)
    const written = logBlocks({ items: input.items, hash }).map((block) => ({ ...block, prose }))
    const full: BriefInput = { ...input, written: written.slice(0, 1) }
    return logOf(full, failuresOf(callsIn(full), full))
  }

  it('has it in place of what the model said; words of the user and failures stay', () => {
    const lines = logWith(5)
    expect(lines.slice(0, 4)).toEqual([
      '[steps 1-20, summarised by a model]\nIt looked at twenty modules.\n  [step 9] not one was right.',
      '! [step 3] ValueError: the third',
      'USER: Never touch the rates.',
      `- ${says(22)}`,
    ])
    expect(lines).not.toContain(`- ${says(7)}`)
  })

  it('has it only where all of its steps are left out', () => {
    expect(logWith(30)).toContain(`- ${says(7)}`)
    expect(logWith(30).join('\n')).not.toContain('summarised by a model')
  })

  it('a block may begin with items that stand, and not end with any', () => {
    const leftOut = new Set([2, 3])
    expect([[1, 2, 3], [2, 3], [2, 3, 4], [4, 5], []].map((ids) => isLeftOut(ids, leftOut))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
