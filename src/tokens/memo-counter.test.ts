import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Tokenizer } from '../core/index.ts'
import { memoCounter } from './memo-counter.ts'

function watched(): Tokenizer & { readonly counted: string[] } {
  const counted: string[] = []
  return {
    id: 'length',
    counted,
    count(text) {
      counted.push(text)
      return text.length
    },
  }
}

it('counts a text once', () => {
  const tokenizer = watched()
  const memo = memoCounter(tokenizer)
  expect([memo.count('one'), memo.count('three'), memo.count('one'), memo.count(['o', 'ne'].join(''))]).toEqual([
    3, 5, 3, 3,
  ])
  expect(tokenizer.counted).toEqual(['one', 'three'])
})

it('remembers a count of 0', () => {
  const tokenizer = watched()
  const memo = memoCounter(tokenizer)
  expect([memo.count(''), memo.count('')]).toEqual([0, 0])
  expect(tokenizer.counted).toHaveLength(1)
})

it('forgets what was not asked for within half of the limit, and keeps what was', () => {
  const tokenizer = watched()
  const memo = memoCounter(tokenizer, { maxBytes: 20 * 200 })
  for (let index = 0; index < 100; index += 1) {
    memo.count(`text number ${index}`)
    memo.count('asked for all the time')
  }
  expect(tokenizer.counted.filter((text) => text === 'asked for all the time')).toHaveLength(1)
  memo.count('text number 0')
  expect(tokenizer.counted.filter((text) => text === 'text number 0')).toHaveLength(2)
})

it('counts but does not keep a text beyond the limit', () => {
  const tokenizer = watched()
  const memo = memoCounter(tokenizer, { maxBytes: 1000 })
  expect([memo.count('x'.repeat(5000)), memo.count('x'.repeat(5000))]).toEqual([5000, 5000])
  expect(tokenizer.counted).toHaveLength(2)
})

it('answers as the tokenizer does, whatever the order and the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 0, max: 3000 }), (texts, maxBytes) => {
      const memo = memoCounter(watched(), { maxBytes })
      for (const text of [...texts, ...texts]) expect(memo.count(text)).toBe(text.length)
    }),
  )
})
