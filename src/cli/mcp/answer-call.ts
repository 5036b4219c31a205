import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import { argumentsProblem, usualSearchLimit } from '../../tools/index.ts'
import type { GatewayDoor } from './gateway-door.ts'
import { offeredTools } from './offered-tools.ts'
import { page, readLines } from './page.ts'

/** A call of one of the four tools. */
export interface McpAsked {
  readonly name: string
  readonly given: JsonObject
  /** The session that the client works in, where it is known. */
  readonly session: string | undefined
  readonly signal: AbortSignal
}

export interface McpAnswer {
  readonly text: string
  readonly isError?: boolean
}

/** Answers a call, in words that a model can act on. */
export async function answerCall(door: GatewayDoor, asked: McpAsked): Promise<McpAnswer> {
  const tool = offeredTools.find(({ name }) => name === asked.name)
  const answer = Object.hasOwn(answers, asked.name) ? answers[asked.name] : undefined
  if (tool === undefined || answer === undefined)
    return failed(
      `There is no tool ${JSON.stringify(asked.name.slice(0, 100))}. Call execute_tool with it as toolName.`,
    )
  const problem = argumentsProblem(tool.inputSchema, JSON.stringify(asked.given))
  return problem === undefined ? answer(door, asked) : failed(problem)
}

const mostFound = 50

const answers: Readonly<Record<string, (door: GatewayDoor, asked: McpAsked) => Promise<McpAnswer>>> = {
  async search_tools(door, { given: { query, limit }, signal }) {
    const most = typeof limit === 'number' ? Math.min(mostFound, Math.max(1, Math.floor(limit))) : usualSearchLimit
    const asked = new URLSearchParams({ q: text(query), limit: String(most) })
    const found = await door.ask(`/v1/tools?${asked.toString()}`, signal)
    if ('refused' in found) return failed(found.refused)
    const lines = objects(found.value['data']).map(({ line }) => text(line))
    const missing = objects(found.value['missing']).map(({ server, reason }) => `${text(server)}: ${text(reason)}`)
    const said = lines.length === 0 ? ['No tool fits. Try other words.'] : lines
    return { text: [...said, ...missing.map((one) => `[incomplete: ${one}]`)].join('\n') }
  },
  async get_tool_schema(door, { given: { toolName }, signal }) {
    const found = await door.ask(toolPath(toolName), signal)
    if ('refused' in found) return failed(`${found.refused} Find tools with search_tools.`)
    const { calledAs, description, inputSchema, status, why } = found.value
    const note = status === 'ready' ? '' : `\n[${text(status)}: ${text(why)}]`
    return { text: paged(`${JSON.stringify({ name: calledAs, description, inputSchema })}${note}`) }
  },
  async execute_tool(door, { given: { toolName, params }, session, signal }) {
    const body = { arguments: params, ...(session !== undefined && { session }) }
    const answer = await door.ask(`${toolPath(toolName)}/call`, signal, body)
    if ('refused' in answer) return failed(`${answer.refused} Find tools with search_tools.`)
    const { ok, text: said, error } = answer.value
    if (ok === true) return { text: paged(text(said)) }
    const { code, message, hint } = isJsonObject(error) ? error : {}
    return failed(`Error ${text(code)}: ${text(message)} ${text(hint)}`)
  },
  async rehydrate(door, { given, session, signal }) {
    if (session === undefined)
      return failed('The session is not known. Start prehend mcp with --session ID, or send the header x-session-id.')
    const { handle, about, lines, pattern } = given
    const part = lines ?? pattern
    const body = {
      ...(handle !== undefined && { handle }),
      ...(about !== undefined && { about }),
      ...(part !== undefined && { lines: part }),
    }
    const answer = await door.ask(`/v1/sessions/${encodeURIComponent(session)}/rehydrate`, signal, body)
    if ('refused' in answer) return failed(answer.refused)
    const isWhole = lines === undefined
    const said = page(text(answer.value['text']), undefined, (next) =>
      isWhole ? `Call rehydrate again with lines "${next}".` : 'Ask for fewer lines.',
    )
    return { text: said, ...(answer.value['found'] !== true && { isError: true }) }
  },
}

function paged(said: string): string {
  return page(said, readLines(undefined), () => 'The rest was cut: ask for less.')
}

function failed(said: string): McpAnswer {
  return { text: said, isError: true }
}

function toolPath(name: JsonValue | undefined): string {
  return `/v1/tools/${encodeURIComponent(text(name))}`
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)) : []
}
