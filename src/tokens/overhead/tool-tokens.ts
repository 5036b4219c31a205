import type { Tokenizer } from '../../core/index.ts'
import { isJsonObject, parseObject } from '../../core/index.ts'
import type { Framing } from './framing.ts'
import type { ToolShape } from './request-shape.ts'
import { toolText } from './tool-text.ts'

/** What one tool costs, as its provider shows it to the model. */
export function toolTokens(tool: ToolShape, framing: Framing, { count }: Pick<Tokenizer, 'count'>): number {
  return framing.perTool + count(toolText(tool, framing.toolForm))
}

/** Counts definitions as they stand on the wire, in any dialect; what is none, such as a provider's own tool, as text. */
export function definitionCounter(framing: Framing, tokenizer: Pick<Tokenizer, 'count'>): (text: string) => number {
  return (text) => {
    const tool = toolIn(text)
    return tool === undefined ? tokenizer.count(text) : toolTokens(tool, framing, tokenizer)
  }
}

const schemaMembers = ['parameters', 'input_schema', 'inputSchema', 'parametersJsonSchema', 'schema'] as const

/** The definition that a text is, in any dialect; undefined where it is none. */
export function toolIn(text: string): ToolShape | undefined {
  const value = parseObject(text)
  if (!isJsonObject(value)) return undefined
  const definition = isJsonObject(value['function']) ? value['function'] : value
  const { name, description } = definition
  const schema = schemaMembers.map((member) => definition[member]).find((member) => member !== undefined)
  const isTool = typeof name === 'string' && (schema !== undefined || definition !== value)
  if (!isTool) return undefined
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(schema === undefined ? {} : { schema }),
  }
}
