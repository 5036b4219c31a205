import type { JsonValue, Usage } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { figure, sum } from '../reply-body.ts'

/** Usage of a reply. Thoughts are counted beside what was said, and what the provider's own tools brought beside the prompt. */
export function geminiUsage(usage: JsonValue | undefined): Usage | undefined {
  const prompt = figure(usage, 'promptTokenCount')
  const said = figure(usage, 'candidatesTokenCount')
  const thoughts = figure(usage, 'thoughtsTokenCount')
  if (!isJsonObject(usage) || (prompt ?? said ?? thoughts) === undefined) return undefined
  return {
    inputTokens: sum(prompt, figure(usage, 'toolUsePromptTokenCount')),
    outputTokens: sum(said, thoughts),
    ...optional('cacheReadTokens', figure(usage, 'cachedContentTokenCount')),
    ...optional('reasoningTokens', thoughts),
  }
}
