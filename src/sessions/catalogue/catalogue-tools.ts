import { schemaAnswer, searchAnswer, searchToolsDefinition, toolSchemaDefinition } from '../../tools/index.ts'
import type { HiddenTool } from '../tools/hidden-tool.ts'

/** The tools by which a model finds those of a client that its requests do not define. Constant, as all that a prompt begins with. */
export const catalogueTools: readonly HiddenTool[] = [
  {
    definition: searchToolsDefinition,
    findsTools: true,
    answer: async (call, { unlisted }) => searchAnswer(unlisted, call.arguments),
  },
  {
    definition: toolSchemaDefinition,
    findsTools: true,
    answer: async (call, { unlisted }) => schemaAnswer(unlisted, call.arguments),
  },
]
