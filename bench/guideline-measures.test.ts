import { describe, expect, it } from 'vitest'
import { learnFrom, readingMeasures } from './guideline-measures.ts'
import type { Reading } from './guideline-measures.ts'

const colours = ['umber', 'ochre', 'teal', 'mauve', 'azure', 'coral', 'beige', 'khaki']
const towns = ['Arle', 'Borm', 'Cult', 'Drum', 'Esk', 'Fell', 'Gorm', 'Hurn']

/** Long passages about towns; what colour their gates have is said in passing. */
function reading(from: number): Reading {
  const passages = towns.map((town, at) => {
    const filler = [
      `The bridge of ${town} was built in ${1400 + at} and has ${14 + at} arches of red stone.`,
      `Mayor Tomas Keller took office on ${1 + at} May 1990, after Anna Weiss had resigned.`,
      `On the market of Saint Vitus ${300 + at} tons of barley are sold each year.`,
      `Route ${60 + at} passes ${12 + at} kilometres north of Old Mill Lane.`,
      `The Swan, the oldest inn, first opened its doors in ${1600 + at}.`,
      `Schools were founded by Bishop Leo in ${1700 + at}, with ${40 + at} pupils.`,
      `Trains to Port Royal leave every ${20 + at} minutes from platform ${2 + at}.`,
      `Of ${9000 + at} inhabitants ${700 + at} work for the Nordic Glass Company.`,
    ]
    return [
      ...filler.slice(0, 4),
      `And the gate there is all painted in ${colours[(from + at) % 8] ?? ''}.`,
      ...filler.slice(4),
    ].join(' ')
  })
  const questions = towns.map((town, passage) => ({
    question: `Which colour has the gate of ${town}?`,
    passage,
    sentence: `And the gate there is all painted in ${colours[(from + passage) % 8] ?? ''}.`,
    isIn: (text: string) => text.includes(colours[(from + passage) % 8] ?? ''),
  }))
  return { passages, questions }
}

const learning = [reading(1), reading(2)]
const held = [reading(3), reading(4)]
const plainly = { taskClass: 'gates', keepRatio: 0.2, guidelines: [] }

describe('V-043, N-15: what guidelines do to peak tokens and to success', () => {
  it('is told of readings that they were not learnt from, beside the same without them and the whole', async () => {
    const guidelines = await learnFrom(learning, plainly, 5)
    expect(guidelines.length).toBeGreaterThan(0)
    const whole = readingMeasures(held, { taskClass: 'gates', guidelines: [] })
    const without = readingMeasures(held, plainly)
    const learnt = readingMeasures(held, { ...plainly, guidelines })
    expect(whole).toMatchObject({ questions: 16, answered: 1, recalls: 0 })
    expect(whole.peakTokens).toBe(whole.packTokens)
    expect(without.answered).toBeLessThan(1)
    expect(without.packTokens).toBeLessThan(whole.packTokens)
    expect(without.peakTokens).toBeGreaterThan(without.packTokens)
    expect(learnt.answered).toBeGreaterThan(without.answered)
    expect(learnt.recalls).toBeLessThan(without.recalls)
    expect(learnt.peakTokens).toBeLessThan(without.peakTokens)
  })

  it('of another class of tasks they change nothing', async () => {
    const guidelines = await learnFrom(learning, plainly, 5)
    const other = { ...plainly, taskClass: 'weather' }
    expect(readingMeasures(held, { ...other, guidelines })).toEqual(readingMeasures(held, other))
  })
})
