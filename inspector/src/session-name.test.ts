import { expect, test } from 'vitest'
import { sessionName, sessionNote } from './session-name.ts'

const made = '44b788f2047c4d1e9a3b5c6d7e8f9012'
const label = { session: made, words: 'Mend the ferry timetable.', model: 'gpt-5.1' }

test('a session is called by its first words, and by its name where these are not known', () => {
  expect(sessionName(made, label)).toBe('Mend the ferry timetable.')
  expect(sessionName(made, undefined)).toBe('44b788f2047c…')
  expect(sessionName(made, { words: '' })).toBe('44b788f2047c…')
  expect(sessionName('ferries', undefined)).toBe('ferries')
})

test('beside its words stand the name that its client gave, and the model', () => {
  expect(sessionNote(made, label)).toBe('gpt-5.1')
  expect(sessionNote('ferries', { ...label, session: 'ferries' })).toBe('ferries, gpt-5.1')
  expect(sessionNote('ferries', { ...label, model: null })).toBe('ferries')
  expect(sessionNote('ferries', undefined)).toBe('')
})
