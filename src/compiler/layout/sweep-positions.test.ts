import { expect, it } from 'vitest'
import { compile } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import type { CompileInput, PackMessage, PayloadPolicy } from '../../core/index.ts'
import { evidence } from '../../core/index.ts'
import { sweepPositions } from './sweep-positions.ts'

const needle = {
  ...evidence(`The vault opens with 7716. ${'nothing to see here. '.repeat(8)}`, 'needle'),
  id: 'needle',
}
const hay = Array.from({ length: 9 }, (_, index) =>
  evidence(`Straw ${index}: ${'nothing to see here. '.repeat(9)}`, `s${index}`),
)
const inputOf = (payload: PayloadPolicy, windowTokens = 20_000): CompileInput => ({
  items: hay,
  budget: { windowTokens },
  policy: { ...careful, payload },
  layout: 'payload',
  frame: { request: 'What opens the vault?' },
})
/** Sees the beginning and the end of what it reads, and nothing between. */
const skimmer = (messages: readonly PackMessage[]): string => {
  const text = messages.map((message) => message.text).join('')
  return text.slice(0, text.length * 0.35) + text.slice(text.length * 0.75)
}
const sweep = (input: CompileInput, ranks = 10, read?: typeof skimmer) =>
  sweepPositions({ compile, input, needle, ranks, ...(read && { read, expected: '7716' }) })

it('N-31, X-17: a sweep reports where a needle stands at each rank: at both ends when best, in the middle when worst', async () => {
  const depths = (await sweep(inputOf({}))).map(({ depth = -1 }) => depth)
  expect(depths).toHaveLength(10)
  const order = Array.from(depths.keys()).toSorted((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0))
  expect(order.map((index) => index + 1)).toEqual([1, 4, 5, 8, 9, 10, 7, 6, 3, 2])
  const last = (await sweep(inputOf({ placement: { evidence: 'best-last' } }))).map(({ depth = -1 }) => depth)
  expect(last).toEqual(last.toSorted((a, b) => b - a))
})

it('N-31: a reader tells what it recalls from each position; without one, nothing is said of recall', async () => {
  const read = await sweep(inputOf({}), 10, skimmer)
  expect(read.map(({ isRecalled }) => isRecalled)).toEqual(read.map(({ depth = 0 }) => depth < 0.35 || depth >= 0.75))
  expect(new Set(read.map(({ isRecalled }) => isRecalled))).toEqual(new Set([true, false]))
  expect((await sweep(inputOf({}))).every((one) => !('isRecalled' in one))).toBe(true)
})

it('N-31: where not all of it fits, what is not there is told and has no position', async () => {
  const found = await sweep(inputOf({}, 400), 10)
  expect(found[0]?.isThere).toBe(true)
  expect(found.at(-1)).toEqual({ rank: 10, isThere: false })
})
