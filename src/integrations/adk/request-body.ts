import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { Config, Content, LlmRequest } from './types.ts'

/** What of a request reaches the model, as the body of the provider's own dialect. */
export function requestBody({ contents, config = {}, ...request }: LlmRequest, model = request.model): JsonObject {
  const { systemInstruction, tools, toolConfig, maxOutputTokens } = config
  const body = {
    model,
    contents,
    systemInstruction: contentOf(systemInstruction),
    tools,
    toolConfig,
    generationConfig: maxOutputTokens === undefined ? undefined : { maxOutputTokens },
  }
  return JSON.parse(JSON.stringify(body)) as JsonObject
}

/** The SDK takes a text, parts or a whole content for the same. */
function contentOf(union: Config['systemInstruction']): object | undefined {
  if (union === undefined || union === '') return undefined
  if (typeof union === 'object' && 'parts' in union) return union
  const parts = [union].flat().map((part) => (typeof part === 'string' ? { text: part } : part))
  return { parts }
}

/** The request with what is to be sent of `packed`; what is sent as it came is the very thing that came. */
export function withPacked(request: LlmRequest, came: JsonObject, packed: JsonObject): LlmRequest {
  const changed = ['systemInstruction', 'tools'].filter((name) => !isSame(packed[name], came[name]))
  const config = { ...request.config, ...Object.fromEntries(changed.map((name) => [name, packed[name]])) }
  return {
    ...request,
    contents: contentsOf(request.contents, packed['contents']),
    ...(changed.length > 0 && { config }),
  }
}

function contentsOf(contents: readonly Content[], packed: JsonValue | undefined): Content[] {
  const came = new Map(contents.map((content) => [JSON.stringify(content), content]))
  const shown = Array.isArray(packed) ? (packed as readonly JsonValue[]).filter(isJsonObject) : []
  return shown.map((content) => came.get(JSON.stringify(content)) ?? (content as Content))
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
