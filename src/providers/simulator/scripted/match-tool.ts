import type { JsonValue } from '../../../core/index.ts'
import { smallestValue } from '../sample/smallest-value.ts'
import { objectOf, textOf } from '../read-json.ts'
import { codeThatCalls } from './code-tool.ts'
import type { OfferedTool } from './offered-tool.ts'
import { parameterFor, plainly, toolOf } from './tool-kinds.ts'
import type { Given, Kind, Use } from './tool-kinds.ts'
import { addingPatch, updatingPatch } from './patch-text.ts'
import type { ScriptAction } from './script-document.ts'
import { editCommand, makeCommand, quoted, writeCommand } from './shell-commands.ts'

export interface ScriptedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, JsonValue>>
}

/** The call of a client's tool that does what an action says; undefined where it has no such tool. */
export function matchTool(
  action: ScriptAction,
  tools: readonly OfferedTool[],
  folder: string,
): ScriptedCall | undefined {
  const { list, make, read, run, search, write, edit, call, in: place = '.', find = '', replace = '' } = action
  const direct = (kind: Kind, given: Given): ScriptedCall | undefined => {
    const tool = toolOf(kind, tools)
    return tool && callOf(tool, given, folder)
  }
  const shell = (command: string): ScriptedCall | undefined => direct('run', { command })
  if (call !== undefined) return namedCall(call, action.arguments ?? {}, tools)
  if (run !== undefined) return shell(run)
  if (make !== undefined) return folder === '' ? undefined : shell(makeCommand(folder, make))
  if (list !== undefined) {
    const all = { path: list, pattern: '**/*' }
    return direct('list', all) ?? direct('glob', all) ?? shell(`ls -la ${quoted(list)}`)
  }
  if (read !== undefined) return direct('read', { path: read }) ?? shell(`cat ${quoted(read)}`)
  if (search !== undefined) {
    const grep = `grep -rn ${quoted(search)} ${quoted(place)} | head -200`
    const isEverywhere = place === '.'
    const given = { pattern: search, path: place }
    return direct(isEverywhere ? 'search' : 'searchIn', given) ?? shell(grep) ?? direct('search', given)
  }
  if (edit !== undefined) {
    const patch = updatingPatch(edit, find, replace)
    return (
      direct('edit', { path: edit, find, replace }) ??
      (patch === undefined ? undefined : direct('patch', { patch })) ??
      shell(editCommand(edit, find, replace))
    )
  }
  if (write === undefined) return undefined
  const content = textOfContent(action.content)
  return (
    direct('write', { path: write, content }) ??
    direct('patch', { patch: addingPatch(write, content) }) ??
    shell(writeCommand(write, lastLineEnded(action.content)))
  )
}

/** What a gateway puts into a request that leaves tools to be found: it calls any of them. */
const executeTool = 'execute_tool'

/** By the tool's own name where the request defines it, else by the tool that calls those which it does not define. */
function namedCall(
  name: string,
  given: ScriptedCall['arguments'],
  tools: readonly OfferedTool[],
): ScriptedCall | undefined {
  if (tools.some((tool) => tool.name === name)) return { name, arguments: given }
  const executes = tools.some((tool) => tool.name === executeTool && tool.required.join() === 'toolName,params')
  return executes ? { name: executeTool, arguments: { toolName: name, params: given } } : undefined
}

/** Content that ends without the newline that a shell adds; a text stays as it is. */
function lastLineEnded(content: ScriptAction['content'] = ''): string {
  return typeof content === 'string' ? content : content.join('\n').replace(/\n$/, '')
}

function textOfContent(content: ScriptAction['content'] = ''): string {
  return typeof content === 'string' ? content : content.join('\n')
}

/**
 * What the tool asks for, and no more: what an action says nothing of is the smallest value that will do. Undefined where the tool
 * writes, wants an absolute path, and no folder is confirmed.
 */
function callOf(tool: OfferedTool, given: Given, folder: string): ScriptedCall | undefined {
  if (tool.takesText === true) return called(tool, given.patch ?? given.command ?? '')
  const uses = Object.keys(given) as Use[]
  if (wantsUnknown(tool, given, folder)) return undefined
  const members = new Map<string, Record<string, JsonValue>>()
  const said: Record<string, JsonValue> = {}
  for (const use of uses) {
    const found = parameterFor(tool, use)
    const value = given[use]
    if (found === undefined || value === undefined) continue
    const shown = wanted({ use, value, folder, about: `${found.name} ${found.description}` })
    if (found.list === undefined) said[found.name] = inList(tool, found.name, use, shown)
    else members.set(found.list, { ...members.get(found.list), [found.name]: shown })
  }
  for (const [list, item] of members) said[list] = [item]
  for (const name of tool.required) said[name] ??= sample(tool, name)
  return called(tool, said)
}

function called(tool: OfferedTool, given: string | Readonly<Record<string, JsonValue>>): ScriptedCall {
  if (tool.via !== undefined) return { name: tool.via, arguments: { input: codeThatCalls(tool.name, given) } }
  return { name: tool.name, arguments: typeof given === 'string' ? { input: given } : given }
}

function wantsUnknown(tool: OfferedTool, given: Given, folder: string): boolean {
  const writes = given.content !== undefined || given.replace !== undefined
  const found = parameterFor(tool, 'path')
  const isRelative = given.path !== undefined && !given.path.startsWith('/')
  return writes && isRelative && folder === '' && found !== undefined && isWhole(`${found.name} ${found.description}`)
}

interface Wanted {
  readonly use: Use
  readonly value: string
  readonly folder: string
  readonly about: string
}

function wanted({ use, value, folder, about }: Wanted): string {
  if (use !== 'path' || folder === '' || value.startsWith('/') || !isWhole(about)) return value
  return value === '.' ? folder : `${folder}/${value}`
}

/** Whether a path has to be absolute, by what is said of it. */
function isWhole(about: string): boolean {
  return /absolute/i.test(about) && !/relative or|or (?:a )?(?:relative|absolute)/i.test(about)
}

function inList({ parameters }: OfferedTool, name: string, use: Use, shown: string): JsonValue {
  if (objectOf(parameters[name])['type'] !== 'array') return shown
  // A list is the words of one command, unless its name says that it is of several.
  return use === 'command' && !plainly(name).endsWith('s') ? ['bash', '-lc', shown] : [shown]
}

function sample({ parameters, schema = {} }: OfferedTool, name: string): JsonValue {
  const value = smallestValue(objectOf(parameters[name]), schema)
  return textOf(value) === '' ? 'a step of a script' : value
}
