import type { JsonObject, TextTool, ToolDefinition } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { stringIn } from '../json-members.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { valueAt } from '../sampling-fields.ts'

/** What OpenAI's dialects say of a custom tool: in Responses the grammar stands in `format`, in Chat Completions one level below. */
export function textToolOf(field: Field, name: string): TextTool {
  const description = valueAt(field, 'description')
  const format = valueAt(field, 'format')
  const grammar = isJsonObject(format) ? grammarOf(format) : undefined
  return { name, description: typeof description === 'string' ? description : '', ...optional('grammar', grammar) }
}

function grammarOf(format: JsonObject): TextTool['grammar'] {
  const told = isJsonObject(format['grammar']) ? format['grammar'] : format
  const [syntax, definition] = [stringIn(told, 'syntax'), stringIn(told, 'definition')]
  return syntax === undefined || definition === undefined ? undefined : { syntax, definition }
}

/** The member in which a function gets the text. */
export const textMember = 'input'

const asked = `Call this as a function: the whole text, as it is, is the string \`${textMember}\` and the only argument.`

/** The same tool for a provider that knows functions only. What its text has to follow is told, since nobody holds the model to it. */
export function functionOf({ name, description, grammar }: TextTool): ToolDefinition {
  const rules = grammar && `The text follows this ${grammar.syntax} grammar:\n${grammar.definition}`
  return {
    name,
    description: [description, asked, rules].filter((part) => part !== undefined && part !== '').join('\n\n'),
    schema: {
      type: 'object',
      properties: { [textMember]: { type: 'string' } },
      required: [textMember],
      additionalProperties: false,
    },
  }
}

/** The arguments of such a function. */
export function argumentsOf(text: string): string {
  return JSON.stringify({ [textMember]: text })
}
