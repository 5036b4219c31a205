import { expect, it } from 'vitest'
import { judged, problemsOf } from './sdks/compare.ts'
import type { Answer, AskedCase } from './sdks/compare.ts'
import type { Target } from './sdks/matrix.ts'
import { whyUnread } from './sdks/unread.ts'

const target: Target = { sdk: 'openai', api: 'responses', model: 'gpt-5.1' }
const how = { prompt: '', isStreamed: false, offersTool: false, thinks: false, isLong: false, maxTokens: 1 }
const question = { id: 'text', name: 'text, whole', kind: 'reply', ...how } as const
const record = { usage: { inputTokens: 3, outputTokens: 2 } }

function problems(answer: Answer | undefined, expected: AskedCase['expected'] = { text: 'Hello', calls: [] }) {
  return problemsOf({ question, expected, target, record }, answer)
}

it('what is read as it was written is no problem', () => {
  expect(problems({ text: 'Hello', calls: [], input: 3, output: 2, cached: 0 })).toEqual([])
  expect(problems({ text: 'Hello' })).toEqual([])
})

it.each([
  [undefined, 'no answer'],
  [{ text: 'Hell' }, 'text: read "Hell", written "Hello"'],
  [{ text: 'Hello', calls: [{ name: 'a', arguments: {} }] }, 'calls: read [{"name":"a","arguments":{}}], written []'],
  [{ text: 'Hello', output: 1 }, 'output tokens: read 1, written 2'],
  [{ error: { name: 'ZodError', message: 'citations' } }, 'ZodError: citations'],
])('%j is told as %s', (answer, problem) => {
  expect(problems(answer)).toEqual([problem])
})

it('an error is read by its words and its status', () => {
  const expected = { error: { status: 429, words: 'too many' } }
  expect(problems({ error: { name: 'E', message: 'too many', status: 429 } }, expected)).toEqual([])
  expect(problems({ error: { name: 'E', message: 'too many', status: 500 } }, expected)).toEqual([
    'status: read 500, written 429',
  ])
  expect(problems({ text: 'Hello' }, expected)).toHaveLength(1)
})

it('a request that the provider has not seen is a problem', () => {
  const compared = { question, expected: { text: 'Hello' }, target, record: undefined }
  expect(problemsOf(compared, { text: 'Hello' })).toHaveLength(1)
})

it('a reply that an SDK is known not to read must fail', () => {
  const why = whyUnread(target, '5.23.2', 'length, streamed')
  expect(why).toContain('response.incomplete')
  expect(whyUnread(target, '7.57.0', 'length, streamed')).toBeUndefined()
  expect(whyUnread(target, '5.23.2', 'refusal, streamed')).toBeUndefined()
  expect(whyUnread({ ...target, behind: 'openai-chat' }, '5.23.2', 'refusal, streamed')).toBe(why)
  expect(judged(['TypeError'], why)).toEqual([])
  expect(judged([], why)).toHaveLength(1)
})
