import type { ToolCall, ToolDefinition, ToolResult } from '../../core/index.ts'
import { argumentsProblem, executeToolName, noSuchTool, noToolNamed, readExecuteCall } from '../../tools/index.ts'
import { hostedToolOf, toFind } from './hosted-tools.ts'
import type { HostedTool } from './hosted-tools.ts'

export interface FoundTools {
  /** All functions of the client, and of them those that its requests do not define. */
  readonly all: readonly ToolDefinition[]
  readonly unlisted: readonly ToolDefinition[]
  /** Tools of the host that the model may find beside them. */
  readonly hosted: readonly HostedTool[]
}

/**
 * What the model is told of each of these calls, in order, where one of them calls by `execute_tool` what nobody could run: none of them is run
 * then. Undefined where all can be.
 */
export function refuseCalls(calls: readonly ToolCall[], tools: FoundTools): readonly ToolResult[] | undefined {
  const problems = calls.map((call) => (call.name === executeToolName ? problemOf(call, tools) : undefined))
  if (problems.every((problem) => problem === undefined)) return undefined
  return calls.map(({ id }, index) => ({ callId: id, text: problems[index] ?? notEither, isError: true }))
}

export interface ExecutedBy {
  readonly client: readonly ToolCall[]
  readonly host: readonly ToolCall[]
}

/** Of calls that all can be run, those by `execute_tool`: of tools of the client, and of the host. */
export function executedBy(calls: readonly ToolCall[], { unlisted, hosted }: FoundTools): ExecutedBy {
  const executed = calls.filter(({ name }) => name === executeToolName)
  const isClients = (call: ToolCall): boolean => clientTool(call, unlisted) !== undefined
  return {
    client: executed.filter(isClients),
    host: executed.filter((call) => !isClients(call) && hostedToolOf(call, hosted) !== undefined),
  }
}

/** What the model is told of calls of the client's tools beside calls of the host's, which are run first. */
export function putOff(calls: readonly ToolCall[], { host }: ExecutedBy): readonly ToolResult[] {
  const ids = new Set(host.map(({ id }) => id))
  return calls.flatMap(({ id }) => (ids.has(id) ? [] : [{ callId: id, text: notYet, isError: true as const }]))
}

const notEither = 'This call was not run either: another call beside it could not be. Make it again.'
const notYet = 'This call was not run yet: another call beside it was run first. Make it again.'

function problemOf(call: ToolCall, { all, unlisted, hosted }: FoundTools): string | undefined {
  const asked = readExecuteCall(call.arguments)
  if (asked === undefined) return noToolNamed
  const tool = clientTool(call, unlisted)
  if (tool !== undefined) return argumentsProblem(tool.schema, asked.arguments)
  if (all.some(({ name }) => name === asked.name))
    return `Call ${asked.name} by its own name: it stands among your tools.`
  if (hostedToolOf(call, hosted) !== undefined) return undefined
  return noSuchTool(toFind({ unlisted, hosted }), asked.name)
}

function clientTool({ arguments: json }: ToolCall, unlisted: readonly ToolDefinition[]): ToolDefinition | undefined {
  const called = readExecuteCall(json)?.name
  return unlisted.find(({ name }) => name === called)
}
