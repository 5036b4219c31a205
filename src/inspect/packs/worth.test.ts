import { describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { evidence, memory } from '../../core/index.ts'
import type { CompileResult, Item, Policy } from '../../core/index.ts'
import { compile } from '../../sessions/index.ts'
import type { CompileRequest } from '../../sessions/index.ts'
import { ablatePairs } from './ablate-pairs.ts'
import { calibrateWeights, withWeights } from './calibrate-weights.ts'

const saysOf =
  (...words: readonly string[]) =>
  ({ pack }: CompileResult): number =>
    words.every((word) => pack?.entries.some(({ text }) => text.includes(word)) === true) ? 1 : 0
const either =
  (...words: readonly string[]) =>
  ({ pack }: CompileResult): number =>
    words.some((word) => pack?.entries.some(({ text }) => text.includes(word)) === true) ? 1 : 0

const wiki = evidence('The ferry leaves at seven.', 'wiki')
const note = memory('The ferry to Elba is the one from Piombino.')
const rain: Item = { id: 'rain', section: 'situation', kind: 'text', text: 'It rains.' }
const inputOf = (items: readonly Item[], windowTokens = 4_000, policy: Policy = careful): CompileRequest => ({
  items,
  policy,
  budget: { windowTokens },
  frame: { request: 'When?' },
})

describe('pairs of sections', () => {
  const pairOf = (worth: (result: CompileResult) => number, sections: string) =>
    ablatePairs(inputOf([wiki, note, rain]), { compile, worth }).find((pair) => pair.sections.join(' ') === sections)

  it('P-076, B-49: either would have done: redundant; neither does without the other: complementary; else independent', () => {
    expect(pairOf(either('seven', 'Piombino'), 'evidence memory')).toEqual({
      sections: ['evidence', 'memory'],
      together: 1,
      apart: 0,
      interaction: 'redundant',
    })
    expect(pairOf(saysOf('seven', 'Piombino'), 'evidence memory')).toMatchObject({
      together: 1,
      apart: 2,
      interaction: 'complementary',
    })
    expect(pairOf(saysOf('seven'), 'evidence memory')).toMatchObject({ interaction: 'independent' })
    expect(pairOf(either('seven', 'Piombino'), 'memory situation')).toMatchObject({
      together: 0,
      interaction: 'independent',
    })
  })

  it('what shares a group with a section goes with it', () => {
    const [one, other] = [
      { ...wiki, group: 'g' },
      { ...note, group: 'g' },
    ]
    const [pair] = ablatePairs(inputOf([one, other]), { compile, worth: saysOf('seven') })
    expect(pair).toMatchObject({ together: 1, apart: 2, interaction: 'complementary' })
  })

  it('what is wrong with the input is told', () => {
    const wrong = inputOf([{ ...wiki, id: '' }])
    const told = (): unknown => ablatePairs(wrong, { compile, worth: saysOf('seven') })
    expect(told).toThrow(/items\[0\]/)
  })
})

describe('weights', () => {
  const filler = (at: number, section: 'memory' | 'evidence'): Item => {
    const text = Array.from({ length: 40 }, (_, word) => `${section}${at}x${word}`).join(' ')
    return section === 'memory' ? memory(text) : evidence(text, `f${at}`)
  }
  /** The answer stands in evidence nearly always, in memory now and then; there is room for half of it. */
  const tasks = Array.from({ length: 12 }, (_, at) => {
    const inMemory = at % 6 === 5
    const answer = `answer${at}`
    const items = [
      ...Array.from({ length: 10 }, (__, other) => filler(other, 'memory')),
      ...Array.from({ length: 10 }, (__, other) => filler(other, 'evidence')),
      inMemory ? memory(`It is ${answer}.`) : evidence(`It is ${answer}.`, 'wiki'),
      rain,
    ]
    return { ...inputOf(items, 3_000), answer }
  })
  type Task = (typeof tasks)[number]
  const pack = (task: Task): CompileResult => {
    const { answer: _, ...input } = task
    return compile(input)
  }
  const worthOf = ({ answer }: Task) => saysOf(answer)

  it('P-075: tasks whose answers are known are compiled without each section; what is lost ranks them and is their weight', () => {
    const made = calibrateWeights(tasks, { compile: pack, worthOf })
    expect(made.map(({ section, tasks: count }) => [section, count])).toEqual([
      ['evidence', 12],
      ['memory', 12],
      ['situation', 12],
    ])
    const [most, some, none] = made
    expect(most).toMatchObject({ worth: 10 / 12, weight: 1 })
    expect(some?.worth).toBeCloseTo(2 / 12, 12)
    expect(some?.weight).toBeCloseTo(0.2, 12)
    expect(none).toMatchObject({ worth: 0, weight: 0.05 })
  })

  it('P-075: the same tasks give the same weights, whatever their order', () => {
    const made = calibrateWeights(tasks, { compile: pack, worthOf })
    const other = calibrateWeights(tasks.toReversed(), { compile: pack, worthOf })
    expect(other.map(({ section }) => section)).toEqual(made.map(({ section }) => section))
    for (const [at, { weight }] of made.entries()) expect(other[at]?.weight).toBeCloseTo(weight, 12)
  })

  it('P-075: a policy takes them, and gives more room to what was worth more', () => {
    const weighed = withWeights(careful, calibrateWeights(tasks, { compile: pack, worthOf }))
    const roomOf = (policy: Policy, section: string): number => {
      const items = Array.from({ length: 60 }, (_, at) => filler(at, at % 2 === 0 ? 'memory' : 'evidence'))
      const { manifest } = compile(inputOf(items, 3_000, policy))
      return manifest.sections.find((one) => one.section === section)?.usedTokens ?? 0
    }
    const byHand = withWeights(careful, [
      { section: 'evidence', tasks: 1, worth: 1, weight: 0.05 },
      { section: 'memory', tasks: 1, worth: 1, weight: 1 },
    ])
    expect(roomOf(weighed, 'evidence')).toBeGreaterThan(1.3 * roomOf(byHand, 'evidence'))
    expect(roomOf(weighed, 'memory')).toBeLessThan(roomOf(byHand, 'memory'))
    expect(weighed.shares.find(({ section }) => section === 'history')).toEqual(
      careful.shares.find(({ section }) => section === 'history'),
    )
  })

  it('where nothing was lost, all weigh the same', () => {
    const worthless = () => () => 1
    expect(
      calibrateWeights(tasks.slice(0, 2), { compile: pack, worthOf: worthless }).every(({ weight }) => weight === 1),
    ).toBe(true)
  })
})
