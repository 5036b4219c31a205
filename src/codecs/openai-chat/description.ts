import type { ToolDefinition } from '../../core/index.ts'
import { shortensDescriptions } from '../openai-models.ts'
import type { Draft } from '../write-request.ts'

/** What OpenAI's older models refuse to read beyond: `string_above_max_length`. */
const mostChars = 1024
const end = ' …'

/** The tool with as much of its description as the model takes, up to the end of a line or of a sentence. */
export function describedFor({ conversation: { model }, lose }: Draft, tool: ToolDefinition): ToolDefinition {
  const { name, description } = tool
  if (description.length <= mostChars || !shortensDescriptions(model)) return tool
  lose(
    'tool',
    name,
    `a description has at most ${mostChars} characters for this model, and it has ${description.length}`,
  )
  const room = description.slice(0, mostChars - end.length)
  const stop = Math.max(room.lastIndexOf('\n'), room.lastIndexOf('. ') + 1)
  return { ...tool, description: (stop > mostChars / 2 ? room.slice(0, stop) : room).trimEnd() + end }
}
