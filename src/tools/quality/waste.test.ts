import { expect, it } from 'vitest'
import { toolWaste } from './waste.ts'

it('tells which offered tools a session has not called, and their share (C-020)', () => {
  expect(toolWaste(['c', 'a', 'b', 'a'], ['b', 'x'])).toEqual({ wastedTools: ['a', 'c'], wasteRatio: 2 / 3 })
  expect(toolWaste(['a'], ['a'])).toEqual({ wastedTools: [], wasteRatio: 0 })
})

it('is 0 where none is offered', () => {
  expect(toolWaste([], ['a'])).toEqual({ wastedTools: [], wasteRatio: 0 })
})
