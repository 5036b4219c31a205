import { expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { itemSimilarities } from './item-similarities.ts'

const item = (id: string, section: string, text: string): Item => ({ id, section, kind: 'text', text })
const embedder = {
  embed: async (texts: readonly string[]) =>
    texts.map((text) => Array.from('abc', (letter) => text.split(letter).length - 1)),
}

it('X-21: tells how alike items of different sections are, by the cosine of their vectors', async () => {
  const items = [
    item('e', 'evidence', 'aab'),
    item('e2', 'evidence', 'aab'),
    item('m', 'memory', 'aabb'),
    item('n', 'memory', 'c'),
  ]
  const found = await itemSimilarities(items, embedder)
  expect(found.map(({ a, b }) => [a, b])).toEqual([
    ['e', 'm'],
    ['e2', 'm'],
  ])
  expect(found[0]?.similarity).toBeCloseTo(6 / Math.sqrt(5 * 8), 9)
})

it('says what is wrong with vectors of different lengths, and with too many items', async () => {
  const uneven = {
    embed: async (texts: readonly string[]) => texts.map((_, at) => Array.from({ length: at + 1 }, () => 1)),
  }
  await expect(itemSimilarities([item('a', 'evidence', 'x'), item('b', 'memory', 'y')], uneven)).rejects.toThrow(
    /embedder/,
  )
  const many = Array.from({ length: 1001 }, (_, at) => item(`i${at}`, 'evidence', 'x'))
  await expect(itemSimilarities(many, embedder)).rejects.toThrow(/1001/)
})
