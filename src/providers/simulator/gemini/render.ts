import type { JsonObject } from '../../../core/index.ts'
import type { RequestShape } from '../../../tokens/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { RenderedRequest, SimulatedCall } from '../dialect.ts'
import { objectOf, textOf } from '../read-json.ts'
import { digest, textBlocks } from '../text-blocks.ts'
import { callIn, callingOf, contentsOf, declarationsOf, either, responseIn, schemaOf, systemParts } from './body.ts'

/** What decides what the provider adds: the system's words are no message of their own. */
export function geminiShape(body: JsonObject): RequestShape {
  return {
    messages: contentsOf(body).map(({ role, parts }) => ({
      role,
      toolCalls: parts.filter((part) => callIn(part) !== undefined).length,
      toolResults: parts.filter((part) => responseIn(part) !== undefined).length,
    })),
    tools: declarationsOf(body).map((declaration) => ({
      name: textOf(declaration['name']) ?? '',
      description: textOf(declaration['description']) ?? '',
      schema: schemaOf(declaration),
    })),
    toolChoice: callingOf(body)['mode'] === 'ANY' ? 'forced' : 'auto',
  }
}

/** The system's words and the functions, then the contents, in pieces: prefixes are matched inside a part, too. */
export function renderGemini(call: SimulatedCall): RenderedRequest {
  const { body, overhead } = call
  const system = systemParts(body).flatMap((part) => partBlocks(call, part))
  const tools = declarationsOf(body).flatMap((tool, index) =>
    textBlocks(JSON.stringify(tool), overhead.perTool[index] ?? 0),
  )
  const contents = contentsOf(body).flatMap(({ role, parts }, index) =>
    contentBlocks(call, { role, parts }, overhead.perMessage[index] ?? 0),
  )
  const blocks = [...system, ...tools, ...contents].map((block, index) =>
    index === 0 ? { ...block, tokens: block.tokens + overhead.fixed } : block,
  )
  return { blocks, tokens: blocks.reduce((sum, block) => sum + block.tokens, 0), cacheKey: '' }
}

interface Said {
  readonly role: string
  readonly parts: readonly JsonObject[]
}

export function contentBlocks(call: SimulatedCall, { role, parts }: Said, frameTokens: number): readonly CacheBlock[] {
  return [{ hash: digest(`content ${role}`), tokens: frameTokens }, ...parts.flatMap((part) => partBlocks(call, part))]
}

function partBlocks(call: SimulatedCall, part: JsonObject): readonly CacheBlock[] {
  const shown = textOf(part['text']) ?? shownCall(part) ?? shownResponse(part)
  if (shown !== undefined) return textBlocks(shown, call.count(call.model.id, shown))
  const media = either(part, 'inlineData') ?? either(part, 'fileData')
  const whole = JSON.stringify(part)
  return [
    { hash: digest(whole), tokens: media === undefined ? call.count(call.model.id, whole) : call.mediaTokens(part) },
  ]
}

function shownCall(part: JsonObject): string | undefined {
  const call = callIn(part)
  return call && `${textOf(call['name']) ?? ''} ${JSON.stringify(call['args'] ?? {})}`
}

function shownResponse(part: JsonObject): string | undefined {
  const response = responseIn(part)
  return response && `${textOf(response['name']) ?? ''} ${JSON.stringify(objectOf(response['response']))}`
}
