import type { JsonObject } from '../../../core/index.ts'
import type { RequestShape } from '../../../tokens/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import type { MarkedBlock } from './cache-markers.ts'
import { canonicalBlock } from './canonical.ts'
import { contentBlocks, isThinking } from './message.ts'
import { sealedTokens } from './signature.ts'

export function anthropicShape(body: JsonObject): RequestShape {
  const choice = objectOf(body['tool_choice'])['type']
  return {
    messages: objectsOf(body['messages']).map((message) => ({
      role: textOf(message['role']) ?? 'user',
      toolCalls: blocksOf(message, 'tool_use'),
      toolResults: blocksOf(message, 'tool_result'),
    })),
    tools: objectsOf(body['tools']).map((tool) => ({
      name: textOf(tool['name']) ?? '',
      description: textOf(tool['description']) ?? '',
      schema: objectOf(tool['input_schema']),
    })),
    toolChoice: choice === 'any' || choice === 'tool' ? 'forced' : 'auto',
  }
}

function blocksOf(message: JsonObject, type: string): number {
  return contentBlocks(message['content']).filter((block) => block['type'] === type).length
}

/** What a block costs, with what the provider puts around it: the first block of a message carries its frame. */
export function blockTokens(call: SimulatedCall, place: MarkedBlock, before: MarkedBlock | undefined): number {
  const { overhead } = call
  const framed = place.tier === 'messages' && before?.messageIndex !== place.messageIndex
  return (
    (place.tier === 'tools' ? (overhead.perTool[place.index] ?? 0) : contentTokens(call, place.block)) +
    (before === undefined ? overhead.fixed : 0) +
    (framed ? (overhead.perMessage[place.messageIndex] ?? 0) : 0)
  )
}

function contentTokens(call: SimulatedCall, block: JsonObject): number {
  const text = (value: string): number => call.count(call.model.id, value)
  if (isThinking(block)) return sealedTokens(block) ?? text(textOf(block['thinking']) ?? textOf(block['data']) ?? '')
  const read = readers[textOf(block['type']) ?? '']
  return read === undefined ? text(canonicalBlock(block)) : read(block, { text, media: call.mediaTokens })
}

interface Counting {
  text(value: string): number
  media(block: JsonObject): number
}

type Reader = (block: JsonObject, counting: Counting) => number

const readers: Readonly<Record<string, Reader>> = {
  text: (block, { text }) => text(textOf(block['text']) ?? ''),
  tool_use: (block, { text }) => text(`${textOf(block['name'])} ${JSON.stringify(objectOf(block['input']))}`),
  tool_result: (block, counting) =>
    contentBlocks(block['content']).reduce((sum, inner) => sum + innerTokens(inner, counting), 0),
  search_result: (block, counting) =>
    counting.text(`${textOf(block['title'])} ${textOf(block['source'])}`) +
    contentBlocks(block['content']).reduce((sum, inner) => sum + innerTokens(inner, counting), 0),
  image: (block, { media }) => media(block),
  document: (block, { media }) => media(block),
}

function innerTokens(block: JsonObject, counting: Counting): number {
  const read = readers[textOf(block['type']) ?? '']
  return read === undefined ? counting.text(canonicalBlock(block)) : read(block, counting)
}
