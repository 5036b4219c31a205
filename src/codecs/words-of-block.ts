import type { JsonObject, JsonValue } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { objectsOf, stringIn } from './json-members.ts'

/** Members that say nothing in words: names, marks, and what is sealed. */
const wordless =
  /^(?:type|id|\w*_id|cache_control|citations|signature|thoughtSignature|encrypted_\w*|status|index|media_type|mime_?type|data|role)$/i

/** Members in which a provider's own tool tells what it found. */
const found = ['output', 'outputs', 'results', 'error', 'codeExecutionResult'] as const

/** What the result of a provider's own tool says in words, for the other providers; undefined where it says nothing. */
export function wordsOfResult(block: JsonValue): string | undefined {
  if (!isJsonObject(block)) return undefined
  const type = stringIn(block, 'type') ?? ''
  const isResult = /(?:result|output)$/.test(type)
  const words = isResult ? wordsIn(block) : found.flatMap((name) => wordsIn(block[name] ?? null))
  if (words.length === 0) return undefined
  return [type === '' ? '' : `[${type}]`, ...words].filter((text) => text !== '').join('\n')
}

/** The words of a compaction, which stand for all before it. */
export function wordsOfCompaction({ content }: JsonObject): string | undefined {
  const words = wordsIn(content ?? null).join('\n')
  return words === '' ? undefined : `Summary of the conversation so far:\n\n${words}`
}

/** A document of text: its title, its context and its words. */
export function wordsOfDocument(block: JsonValue): string | undefined {
  if (!isJsonObject(block)) return undefined
  const { title, context, source } = block
  const { data, content } = isJsonObject(source) ? source : ({} as JsonObject)
  const words = [...[title, context, data].flatMap((text) => wordsIn(text ?? null)), ...wordsIn(content ?? null)]
  return words.length === 0 ? undefined : words.join('\n\n')
}

/** What reasoning says in a Responses item: its summary, or all of it. */
export function wordsOfReasoning(item: JsonObject): string | undefined {
  const words = [...objectsOf(item['summary']), ...objectsOf(item['content'])].flatMap(
    (part) => stringIn(part, 'text') ?? [],
  )
  return words.length === 0 ? undefined : words.join('\n\n')
}

function wordsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) => (wordless.test(name) ? [] : wordsIn(part)))
}
