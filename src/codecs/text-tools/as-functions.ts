import type { Item, ToolDefinition } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { parseData } from '../reply-body.ts'
import type { Draft } from '../write-request.ts'
import { argumentsOf, functionOf } from './text-tool.ts'

/** The tools of a draft for a provider that knows functions only. */
export function functionsOf({ tools, lose }: Draft): readonly ToolDefinition[] {
  return tools.map((tool) => {
    if ('schema' in tool) return tool
    if (tool.grammar !== undefined)
      lose('tool', tool.name, 'its grammar is told in its description, and nobody holds the model to it')
    return functionOf(tool)
  })
}

/** What a call says, as a JSON object. What is none stands in one, and that is a loss unless its tool takes a text. */
export function objectText(draft: Draft, item: Item, text: string): string {
  if (draft.takesText(item)) return argumentsOf(text)
  if (isJsonObject(parseData(text))) return text
  if (text.trim() === '') return '{}'
  draft.lose('call', item.id, 'its input is not a JSON object, and stands as the member "input" of one')
  return argumentsOf(text)
}
