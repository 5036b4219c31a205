import type { KnownDialect } from '../../core/index.ts'
import { scanJson } from '../../core/index.ts'
import { anthropicBody, openaiBody } from './bodies.ts'
import { geminiBody } from './gemini-bodies.ts'
import type { CodecCases } from './codec-cases.ts'
import { writeReply } from './replies.ts'
import { responsesBody } from './responses-bodies.ts'

const common: Omit<CodecCases, 'body' | 'reply'> = {
  bodyOf: (messages) => `{"model":"m","messages":[${messages.join(',')}]}`,
  userMessage: (words) => JSON.stringify({ role: 'user', content: words }),
  messagesOf: (body) => elementsOf(body, 'messages'),
}

/** Where the elements of a list of a body stand. */
function elementsOf(body: string, name: string): ReturnType<CodecCases['messagesOf']> {
  const { root } = scanJson(body)
  const named = (at: number): unknown => JSON.parse(body.slice(root.keys[2 * at], root.keys[2 * at + 1]))
  const index = root.children.findLastIndex((_, at) => named(at) === name)
  return root.children[index]?.children ?? []
}

/** The items of a list, or the one that it is. */
function flat(raw: string): readonly string[] {
  const { root } = scanJson(raw)
  return root.kind === 'array' ? root.children.map(({ start, end }) => raw.slice(start, end)) : [raw]
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
    messagesOf: (body) => elementsOf(body, 'contents'),
    reply: (reply, cut) => writeReply('gemini', reply, cut),
  },
  'openai-responses': {
    ...common,
    bodyOf: (messages) => `{"model":"m","input":[${messages.flatMap(flat).join(',')}]}`,
    messagesOf: (body) => elementsOf(body, 'input'),
    body: responsesBody,
    namedByLast: true,
    reply: (reply, cut) => writeReply('openai-responses', reply, cut),
  },
}
