import { expect, it } from 'vitest'
import { simulatedWords } from './words.ts'

it('says that no money was spent where the simulated provider has answered, and in how many sessions', () => {
  const [simulated, real] = [{ simulated: true }, { simulated: false }]
  expect(simulatedWords([])).toBeUndefined()
  expect(simulatedWords([real])).toBeUndefined()
  expect(simulatedWords([simulated])).toBe('simulated provider: no money was spent')
  expect(simulatedWords([simulated, real])).toContain('in 1 of the 2 newest sessions')
})
