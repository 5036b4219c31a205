import type { DialectFixture } from './test-gateway.fixture.ts'

/** A body that some client sends and some provider takes, and whether our codec makes sense of it. */
export interface OddBody {
  readonly name: string
  readonly body: string | Buffer
  readonly isRead: boolean
}

type Members = Record<string, unknown>

/** Odd bodies of a dialect: some that its codec reads, and others. */
export function oddBodies(dialect: DialectFixture): readonly OddBody[] {
  const isOpenai = dialect.name === 'openai-chat'
  const plain: Members = isOpenai ? { model: 'gpt-5.1' } : { model: 'claude-sonnet-4-6', max_tokens: 9 }
  const user = { role: 'user', content: 'Hello' }
  const of = (members: Members): string => JSON.stringify({ ...plain, messages: [user], ...members })
  const saying = (...messages: unknown[]): string => of({ messages })
  const call = (id: unknown, input: unknown = {}): unknown =>
    isOpenai
      ? { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: input } }] }
      : { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input }] }
  const result = (id: string, content: unknown = 'done'): unknown =>
    isOpenai
      ? { role: 'tool', tool_call_id: id, content }
      : { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
  const input = isOpenai ? '{}' : {}
  const raw = of({})
  const unread = (name: string, body: string | Buffer): OddBody => ({ name, body, isRead: false })
  const read = (name: string, body: string): OddBody => ({ name, body, isRead: true })
  return [
    // Who speaks.
    unread('an unknown role', saying({ role: 'critic', content: 'No.' })),
    unread('a role in capitals', saying({ role: 'User', content: 'Hello' })),
    unread('no role', saying({ content: 'Hello' })),
    unread('an empty role', saying({ role: '', content: 'Hello' })),
    unread('a role that is no text', saying({ role: 7, content: 'Hello' })),
    // Whom to ask, and how much.
    unread('no model', JSON.stringify({ ...plain, model: undefined, messages: [user] })),
    unread('a model that is null', of({ model: null })),
    unread('a model that is no text', of({ model: 5 })),
    unread('an empty model', of({ model: '' })),
    isOpenai ? unread('max_tokens 0', of({ max_tokens: 0 })) : read('max_tokens 0', of({ max_tokens: 0 })),
    unread('max_tokens -1', of({ max_tokens: -1 })),
    unread('max_tokens as a text', of({ max_tokens: '100' })),
    unread('max_tokens 1.5', of({ max_tokens: 1.5 })),
    unread('max_tokens beyond all measure', raw.replace('"messages"', '"max_tokens":1e400,"messages"')),
    unread('stream: "true"', of({ stream: 'true' })),
    unread('stream: 1', of({ stream: 1 })),
    // What is said.
    unread('no messages', of({ messages: undefined })),
    unread('an empty list of messages', of({ messages: [] })),
    unread('messages that are one message', of({ messages: user })),
    unread('messages that are a text', of({ messages: 'Hello' })),
    unread('a message that is a text', saying('Hello')),
    unread('a message that is null', saying(null)),
    unread('content that is a number', saying({ role: 'user', content: 7 })),
    unread('content that is an object', saying({ role: 'user', content: { text: 'Hello' } })),
    unread('no content', saying({ role: 'user' })),
    unread('a block that is a text', saying({ role: 'user', content: ['Hello'] })),
    unread('a block without a type', saying({ role: 'user', content: [{ text: 'Hello' }] })),
    read('a block of tomorrow', saying({ role: 'user', content: [{ type: 'hologram', data: 'x' }] })),
    unread('a text block without text', saying({ role: 'user', content: [{ type: 'text' }] })),
    // Calls and results.
    unread(
      isOpenai ? 'arguments as an object' : 'input as a text',
      saying(user, call('c1', isOpenai ? { a: 1 } : '{"a":1}')),
    ),
    unread('a call without an id', saying(user, call(undefined, input))),
    unread('a result without its call', saying(user, result('nobody'))),
    unread('an id used twice', saying(user, call('c1', input), call('c1', input), result('c1'), result('c1'))),
    read('an id that comes back', saying(user, call('c1', input), result('c1'), call('c1', input), result('c1'))),
    read('a call without a result', saying(user, call('c1', input), user)),
    unread('a result that is a number', saying(user, call('c1', input), result('c1', 7))),
    // Tools.
    unread('tools that are an object', of({ tools: { f: {} } })),
    unread('a tool that is a text', of({ tools: ['f'] })),
    unread(
      'a tool without a name',
      of({ tools: [isOpenai ? { type: 'function', function: {} } : { input_schema: {} }] }),
    ),
    // Members that nobody knows.
    read('a foreign member', of({ provider: { order: ['a'] }, transforms: [] })),
    // The text itself.
    unread('500 levels of nesting', raw.replace('}]}', `}],"x":${'['.repeat(500)}${']'.repeat(500)}}`)),
    unread('no JSON', 'model=gpt-5.1&messages=Hello'),
    unread('JSON that breaks off', raw.slice(0, -3)),
    unread('a comma too many', raw.replace('}]}', '},]}')),
    unread('a list', `[${raw}]`),
    unread('nothing', ''),
    unread(
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(raw.slice(0, -6)), Buffer.from([0xff, 0xfe]), Buffer.from('"}]}')]),
    ),
  ]
}
