import { schemaAnswer, searchAnswer, searchToolsDefinition, toolSchemaDefinition } from '../../tools/index.ts'
import type { HiddenTool } from './hidden-tool.ts'

/** The tools by which a model finds those of a client that its requests leave out. Their definitions stand where `withListedTools` puts them. */
export const catalogueTools: readonly HiddenTool[] = [
  {
    definition: searchToolsDefinition(''),
    findsTools: true,
    async answer(call, { unlisted, learnt }) {
      const { text, found, names } = searchAnswer(unlisted, call.arguments, learnt)
      return { text, found, references: names }
    },
  },
  {
    definition: toolSchemaDefinition,
    findsTools: true,
    answer: async (call, { unlisted }) => schemaAnswer(unlisted, call.arguments),
  },
]
