import type { KnownDialect } from '../../core/index.ts'
import { scanJson } from '../../core/index.ts'
import { anthropicBody, openaiBody } from './bodies.ts'
import { geminiBody } from './gemini-bodies.ts'
import type { CodecCases } from './codec-cases.ts'
import { writeReply } from './replies.ts'

const common: Omit<CodecCases, 'body' | 'reply'> = {
  bodyOf: (messages) => `{"model":"m","messages":[${messages.join(',')}]}`,
  userMessage: (words) => JSON.stringify({ role: 'user', content: words }),
  messagesOf: (body) => listOf(body, 'messages'),
}

/** The elements of a member of a body. */
function listOf(body: string, name: string): ReturnType<CodecCases['messagesOf']> {
  const { root } = scanJson(body)
  const named = (at: number): unknown => JSON.parse(body.slice(root.keys[2 * at], root.keys[2 * at + 1]))
  const index = root.children.findLastIndex((_, at) => named(at) === name)
  return root.children[index]?.children ?? []
}

/** The cases of the dialects that come with the product. */
export const codecCases: { readonly [Name in KnownDialect]: CodecCases } = {
  'openai-chat': { ...common, body: openaiBody, reply: (reply, cut) => writeReply('openai-chat', reply, cut) },
  'anthropic-messages': {
    ...common,
    body: anthropicBody,
    reply: (reply, cut) => writeReply('anthropic-messages', reply, cut),
  },
  'gemini': {
    body: geminiBody,
    bodyOf: (messages) => `{"model":"models/m","contents":[${messages.join(',')}]}`,
    userMessage: (words) => JSON.stringify({ role: 'user', parts: [{ text: words }] }),
    messagesOf: (body) => listOf(body, 'contents'),
    reply: (reply, cut) => writeReply('gemini', reply, cut),
  },
}
