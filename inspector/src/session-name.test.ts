import { expect, test } from 'vitest'
import { dateAndTime } from './format.ts'
import { sessionName, sessionNote } from './session-name.ts'

const made = '44b788f2047c4d1e9a3b5c6d7e8f9012'
const label = { words: 'Mend the ferry timetable.', model: 'gpt-5.1', client: 'codex', startedMs: 1_795_219_200_000 }

test('a session is called by its first words, and by its name where these are not known', () => {
  expect(sessionName(made, label)).toBe('Mend the ferry timetable.')
  expect(sessionName('ferries', undefined)).toBe('ferries')
  expect(sessionName('ferries', { words: '' })).toBe('ferries')
})

test('a session without words and without a name goes by its client, or its model, and when it began', () => {
  const at = dateAndTime(label.startedMs)
  expect(sessionName(made, { ...label, words: '' })).toBe(`codex, ${at}`)
  expect(sessionName(made, { ...label, words: '', client: null })).toBe(`gpt-5.1, ${at}`)
  expect(sessionName(made, undefined)).toBe('session 44b788')
})

test('beside its words stand the name that its client gave, the client, and the model', () => {
  expect(sessionNote(made, label)).toBe('codex, gpt-5.1')
  expect(sessionNote('ferries', label)).toBe('ferries, codex, gpt-5.1')
  expect(sessionNote('ferries', { ...label, model: null, client: null })).toBe('ferries')
  expect(sessionNote('ferries', undefined)).toBe('')
})
