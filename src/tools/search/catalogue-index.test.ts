import { expect, it } from 'vitest'
import { nothingLearnt } from '../quality/learnt-tools.ts'
import { catalogueIndex } from './catalogue-index.ts'

const catalogue = (size: number) =>
  Array.from({ length: size }, (_, at) => ({ name: `tool_${at}`, description: `Does thing ${at}.`, schema: {} }))

it('an index is made once for the same definitions and the same past queries', () => {
  const tools = catalogue(30)
  const index = catalogueIndex(tools, nothingLearnt)
  expect(catalogueIndex([...tools], nothingLearnt)).toBe(index)
  expect(catalogueIndex(tools.slice(1), nothingLearnt)).not.toBe(index)
  expect(catalogueIndex(catalogue(30), nothingLearnt)).not.toBe(index)
  const past = new Map([['tool_3', ['water the orchids']]])
  const taught = catalogueIndex(tools, { past })
  expect(taught.search('orchids').map(({ id }) => id)).toEqual(['tool_3'])
  expect(catalogueIndex(tools, { past })).toBe(taught)
  expect(catalogueIndex(tools, { past: new Map(past) })).not.toBe(taught)
  expect(catalogueIndex(tools, nothingLearnt)).toBe(index)
})

it('few indexes are remembered', () => {
  const tools = catalogue(3)
  const index = catalogueIndex(tools, nothingLearnt)
  for (let at = 0; at < 40; at += 1) catalogueIndex(catalogue(2), nothingLearnt)
  expect(catalogueIndex(tools, nothingLearnt)).not.toBe(index)
})
