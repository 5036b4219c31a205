import {
  executeToolDefinition,
  noSuchTool,
  noToolNamed,
  nothingLearnt,
  readExecuteCall,
  schemaAnswer,
  searchAnswer,
  searchedWords,
  searchToolsDefinition,
  toolSchemaDefinition,
} from '../../tools/index.ts'
import { hostedToolOf, toFind, withHostedUses } from '../catalogue/hosted-tools.ts'
import type { HiddenTool, ToolAnswer } from './hidden-tool.ts'

/**
 * The tools by which a model finds those that its requests leave out, of the client and of the host. Their definitions stand where
 * `withListedTools` puts them.
 */
export const catalogueTools: readonly HiddenTool[] = [
  {
    definition: searchToolsDefinition(''),
    findsTools: true,
    async answer(call, context) {
      const { hosted, host, learnt: ofClient = nothingLearnt, meanings, scope } = context
      const learnt = host === undefined ? ofClient : withHostedUses(ofClient, hosted, host.uses(scope.tenant))
      const tools = toFind(context)
      const query = searchedWords(call.arguments)
      const meaning = query === undefined ? undefined : await meanings?.of(scope.tenant, { query, tools })
      const { text, found, names } = searchAnswer(tools, call.arguments, { learnt, meaning })
      const shown = hosted.flatMap(({ id, definition }) => (names.includes(definition.name) ? [id] : []))
      if (shown.length > 0) host?.found(scope.tenant, shown)
      return { text, found, references: names }
    },
  },
  {
    definition: toolSchemaDefinition,
    findsTools: true,
    answer: async (call, context) => schemaAnswer(toFind(context), call.arguments),
  },
]

/** Runs tools of the host. Calls of the client's tools go to the client under their own names. */
export const executeTool: HiddenTool = {
  definition: executeToolDefinition,
  findsTools: true,
  boundsTime: true,
  async answer(call, context) {
    const { hosted, host } = context
    const asked = readExecuteCall(call.arguments)
    if (asked === undefined) return failed(noToolNamed)
    const tool = hostedToolOf(call, hosted)
    if (tool === undefined || host === undefined) return failed(noSuchTool(toFind(context), asked.name))
    return host.run({ tool: tool.id, arguments: asked.arguments }, context)
  },
}

function failed(text: string): ToolAnswer {
  return { text, found: false, isError: true }
}
