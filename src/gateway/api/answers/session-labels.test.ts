import { expect, it } from 'vitest'
import { codecFor } from '../../../codecs/index.ts'
import { wordsOf } from './session-labels.ts'

const user = (...content: readonly string[]) => ({
  role: 'user',
  content: content.map((text) => ({ type: 'text', text })),
})
const answer = (content: string) => ({ role: 'assistant', content })
const setup = 'This is the Qwen Code. We are setting up the context for our chat.\nToday is Monday.'

it.each([
  ['a first message with blocks in tags', [user('<system-reminder>a</system-reminder>', 'Mend it.')]],
  ['a block and words in one part', [user('<system-reminder>a</system-reminder>\n\nMend it.')]],
  ['an introduction that is answered', [user(setup), answer('Got it. Thanks for the context!'), user('Mend it.')]],
  ['an environment in a message of its own', [user('<environment_context>x</environment_context>'), user('Mend it.')]],
  ['a state in tags behind it', [user('Mend it.'), user('<state>2</state>')]],
  ['later messages', [user('Mend it.'), answer('Which?'), user('The second.')]],
  ['a context beside it in one message', [user('Mend it.', 'Here is the file.')]],
])('a session is labelled with the words of its user: %s', (_, messages) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'system', content: 'Be brief.' }, ...messages] })
  expect(wordsOf(codecFor('openai-chat').decode({ body }).conversation.items)).toBe('Mend it.')
})
