import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidence, memory, said } from '../core/index.ts'
import { withRelevance } from './item-relevance.ts'
import type { Passage } from './passage.ts'
import { passageRanker } from './passage-ranker.ts'

const best = (passages: readonly Passage[], query: string): number => {
  const scores = passageRanker(passages)(query)
  return scores.indexOf(Math.max(...scores))
}

describe('passages for a question', () => {
  it('finds words in other forms, and what is rare before what is common', () => {
    const passages = ['The boat was late.', 'Boats carried forty cars.', 'The boat was painted.'].map((text) => ({
      text,
    }))
    expect(best(passages, 'Which boat carries cars?')).toBe(1)
  })

  it('finds by what is known of a passage and not said in it', () => {
    const passages = [
      { text: 'We met again.', about: '8 May 2023' },
      { text: 'We met again.', about: '9 June 2023' },
    ]
    expect(best(passages, 'Who met in June?')).toBe(1)
  })

  it('of equal remarks that stands first that of the speaker who is named', () => {
    const passages = ['Ann', 'Ben', 'Cleo'].map((speaker) => ({ text: 'I prefer rubber.', speaker }))
    expect(best(passages, 'What did Ben prefer?')).toBe(1)
  })

  it('in a thread, what stands around a hit counts, the less the farther; in another thread it does not', () => {
    const talk = ['Hm.', 'Hm.', 'Fine.', 'The remote is yellow.', 'Sure.', 'Hm.', 'Hm.'].map((text) => ({
      text,
      thread: 'a',
    }))
    const other = Array.from({ length: 7 }, (_, at) => ({ text: `Lunch ${at}.`, thread: 'b' }))
    const scores = passageRanker([...talk, ...other])('yellow remote')
    const [first = 0, , before = 0, hit = 0, after = 0, later = 0] = scores
    expect(hit).toBe(1)
    expect(after).toBeGreaterThan(later)
    expect(later).toBeGreaterThan(0)
    expect(before).toBeGreaterThan(first)
    expect(scores.slice(7).every((score) => score === 0)).toBe(true)
  })

  it('in a thread, words that the best passages share find what the question does not say', () => {
    const thread = 'talk'
    const quiet = Array.from({ length: 200 }, (_, at) => ({ text: `Point ${at} of the agenda.`, thread }))
    const hits = [
      { text: 'The budget is about batteries.', thread },
      { text: 'Batteries again: the budget.', thread },
    ]
    const far = { text: 'Batteries cost four.', thread }
    const scores = passageRanker([...hits, ...quiet, far, ...quiet])('budget')
    expect(scores[202]).toBeGreaterThan(scores[150] ?? 1)
  })

  it('scores are in [0, 1] and the same whenever they are asked for; nothing in common is 0', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.string(), thread: fc.constantFrom('a', 'b') })),
        fc.string(),
        (passages, query) => {
          const rank = passageRanker(passages)
          const scores = rank(query)
          expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
          expect(rank(query)).toEqual(scores)
          expect(passageRanker(passages)(query)).toEqual(scores)
        },
      ),
    )
    expect([...passageRanker([{ text: 'Boats.' }])('the of')]).toEqual([0])
    expect([...passageRanker([])('boats')]).toEqual([])
  })

  it('a question of some words costs milliseconds over thousands of passages', () => {
    const passages = Array.from({ length: 5_000 }, (_, at) => ({
      text: `Remark ${at} of boat ${at % 7} in port`,
      thread: 'a',
    }))
    const rank = passageRanker(passages)
    rank('boat')
    const started = performance.now()
    for (let round = 0; round < 10; round += 1) rank('Which boat stood in port 4?')
    expect((performance.now() - started) / 10).toBeLessThan(250)
  })
})

describe('items for a request', () => {
  it('gives a relevance to what has none, and leaves every other member alone', () => {
    const items = [
      evidence('The ferry leaves at seven.', 'a'),
      evidence('Trains leave at nine.', 'b', { scores: { relevance: 0.2, authority: 0.9 } }),
      memory('Likes boats.'),
      said('user', 'Hello.'),
    ]
    const scored = withRelevance(items, 'When does the ferry leave?')
    expect(scored[0]?.scores?.relevance).toBe(1)
    expect(scored[1]).toBe(items[1])
    expect(scored[2]?.scores?.relevance).toBe(0)
    expect({ ...scored[0], scores: undefined }).toEqual({ ...items[0], scores: undefined })
  })

  it('pieces of one source are neighbours, and a remark is its speaker’s', () => {
    const piece = (text: string, sourceId: string, id: string) => ({ ...evidence(text, sourceId), id })
    const items = [
      piece('The ferry to Elba.', 'boats', '1'),
      piece('It leaves at seven.', 'boats', '2'),
      piece('It leaves at nine.', 'trains', '3'),
    ]
    const [, near = 0, other = 1] = withRelevance(items, 'ferry Elba').map(({ scores }) => scores?.relevance)
    expect(near).toBeGreaterThan(other)
    const talk = [memory('Ann: It is too dear.', { id: 'a' }), memory('Ben: It is too dear.', { id: 'b' })]
    const [ann = 1, ben = 0] = withRelevance(talk, 'What did Ben find dear?').map(({ scores }) => scores?.relevance)
    expect(ben).toBeGreaterThan(ann)
  })
})
