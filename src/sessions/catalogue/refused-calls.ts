import type { ToolCall, ToolDefinition, ToolResult } from '../../core/index.ts'
import { argumentsProblem, executeToolName, noSuchTool, readExecuteCall, searchToolsName } from '../../tools/index.ts'

export interface FoundTools {
  /** All functions of the client, and of them those that its requests do not define. */
  readonly all: readonly ToolDefinition[]
  readonly unlisted: readonly ToolDefinition[]
}

/**
 * What the model is told of each of these calls, in order, where one of them calls by `execute_tool` what a client could not run: none of
 * them is run then. Undefined where all can be.
 */
export function refuseCalls(calls: readonly ToolCall[], tools: FoundTools): readonly ToolResult[] | undefined {
  const problems = calls.map((call) => (call.name === executeToolName ? problemOf(call, tools) : undefined))
  if (problems.every((problem) => problem === undefined)) return undefined
  return calls.map(({ id }, index) => ({ callId: id, text: problems[index] ?? notEither, isError: true }))
}

const notEither = 'This call was not run either: another call beside it could not be. Make it again.'

function problemOf({ arguments: json }: ToolCall, { all, unlisted }: FoundTools): string | undefined {
  const call = readExecuteCall(json)
  if (call === undefined)
    return `Call ${executeToolName} with {"toolName": "…", "params": {…}}. ${searchToolsName} finds tools by what they do.`
  const tool = unlisted.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const isListed = all.some(({ name }) => name === call.name)
    return isListed ? `Call ${call.name} by its own name: it stands among your tools.` : noSuchTool(unlisted, call.name)
  }
  return argumentsProblem(tool.schema, call.arguments)
}
