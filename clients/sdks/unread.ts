import type { Target } from './matrix.ts'

/** Replies that an SDK does not read although they have the provider's own form. One that it does read is a failure. */
export interface Unread extends Partial<Pick<Target, 'api'>> {
  readonly sdk: string
  readonly majors: readonly string[]
  /** Of the SDK; JavaScript where absent. The majors tell them apart. */
  readonly language?: 'python'
  /** Of targets behind a gateway or of those that are not; absent, of both. */
  readonly isBehind?: boolean
  readonly replies: readonly string[]
  readonly why: string
}

export const unread: readonly Unread[] = [
  {
    sdk: 'openai',
    majors: ['4', '5'],
    api: 'responses',
    replies: ['length, streamed'],
    why: 'its fold of a stream knows no `response.incomplete`',
  },
  {
    sdk: 'openai',
    majors: ['4', '5'],
    api: 'responses',
    isBehind: true,
    replies: ['refusal, streamed'],
    why: 'its fold of a stream knows no `response.incomplete`',
  },
  {
    sdk: 'openai',
    majors: ['2', '3'],
    language: 'python',
    api: 'responses',
    replies: ['length, streamed'],
    why: 'its fold of a stream knows no `response.incomplete`',
  },
  {
    sdk: 'openai',
    majors: ['2', '3'],
    language: 'python',
    api: 'responses',
    isBehind: true,
    replies: ['refusal, streamed'],
    why: 'its fold of a stream knows no `response.incomplete`',
  },
  {
    sdk: '@openai/agents',
    majors: ['0'],
    api: 'responses',
    replies: ['length, whole', 'length, streamed'],
    why: 'it throws where a response is incomplete',
  },
  {
    sdk: '@openai/agents',
    majors: ['0'],
    api: 'responses',
    isBehind: true,
    replies: ['refusal, whole', 'refusal, streamed'],
    why: 'it throws where a response is incomplete',
  },
  {
    sdk: '@google/genai',
    majors: ['1'],
    replies: ['error in a stream, streamed'],
    why: 'it looks for errors only in bodies that are no stream of events',
  },
  {
    sdk: '@langchain/google-genai',
    majors: ['0', '2'],
    replies: ['error in a stream, streamed'],
    why: 'it looks for errors only in bodies that are no stream of events',
  },
  {
    sdk: '@langchain/google-genai',
    majors: ['0', '2'],
    isBehind: false,
    replies: ['refusal, whole'],
    why: 'it throws where a prompt was blocked',
  },
  {
    sdk: '@langchain/google-genai',
    majors: ['0'],
    isBehind: true,
    replies: ['refusal, whole', 'refusal, streamed'],
    why: 'it throws where a reply was blocked',
  },
  {
    sdk: '@ai-sdk/openai',
    majors: ['1', '2'],
    api: 'responses',
    isBehind: false,
    replies: ['refusal, whole'],
    why: 'it knows no part of type `refusal`',
  },
  {
    sdk: '@ai-sdk/google',
    majors: ['1'],
    isBehind: false,
    replies: ['refusal, whole'],
    why: 'it insists on candidates, which a blocked prompt has none of',
  },
  {
    sdk: '@ai-sdk/google',
    majors: ['1'],
    replies: ['error in a stream, streamed'],
    why: 'it takes an event without candidates for an empty one',
  },
  {
    sdk: '@ai-sdk/google',
    majors: ['1'],
    isBehind: true,
    replies: ['call', 'parallel calls', 'thinking and a call'].flatMap((name) => [
      `${name}, whole`,
      `${name}, streamed`,
    ]),
    why: 'it sends `tools` as an object, which is not read where another dialect is to be written',
  },
  {
    sdk: '@openrouter/ai-sdk-provider',
    majors: ['0'],
    replies: ['error in a stream, streamed'],
    why: 'it ends such a stream without a word',
  },
]

/** Why an SDK does not read a reply; undefined where it must. */
export function whyUnread({ sdk, api, behind }: Target, version: string, reply: string): string | undefined {
  const [major = ''] = version.split('.')
  const found = unread.find(
    (each) =>
      each.sdk === sdk &&
      each.majors.includes(major) &&
      (each.api ?? api) === api &&
      (each.isBehind ?? behind !== undefined) === (behind !== undefined) &&
      each.replies.includes(reply),
  )
  return found?.why
}
