import type { JsonValue } from '../../../core/index.ts'
import { sampleOf } from '../echo.ts'
import { objectOf, textOf } from '../read-json.ts'
import type { OfferedTool } from './offered-tools.ts'
import type { ScriptAction } from './script-document.ts'

export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, JsonValue>>
}

/** What a parameter is for, told by its name without case and punctuation. */
const uses = {
  path: /^(?:(?:abs(?:olute)?|relative|target|workspace|source)*(?:file|dir|directory|folder)?paths?|file(?:name)?|targetfile|dir(?:ectory)?|folder|uri)$/,
  command: /^(?:command(?:line)?s?|cmds?|script|code)$/,
  pattern: /^(?:pattern|query|queries|regexp?|search(?:term|string)?|glob(?:pattern)?)$/,
  content: /^(?:new)?(?:content|contents|filetext|text|filecontents?|body)$/,
  find: /^(?:old(?:string|str|text|content)?|find|search|target)$/,
  replace: /^(?:new(?:string|str|text|content)?|replace(?:ment)?)$/,
} as const

type Use = keyof typeof uses
type Given = Partial<Record<Use, string>>

/** A kind of tool: what its name says, what it must take, and what it may not be about. */
interface Kind {
  readonly name: RegExp
  readonly needs: readonly Use[]
  readonly lacks: readonly Use[]
}

const elsewhere = /todo|web|url|http|browser|mcp|memory|notebook|agent|task|image|rehydrate/

const kinds = {
  run: { name: /bash|shell|exec|command|terminal|run/, needs: ['command'], lacks: [] },
  read: { name: /read|view|cat|open|getfile|fetchfile/, needs: ['path'], lacks: ['content', 'find', 'pattern'] },
  list: { name: /list|glob|tree|^ls$|dir/, needs: [], lacks: ['content', 'find', 'command'] },
  search: { name: /grep|search|^rg$|find/, needs: ['pattern'], lacks: ['replace', 'content'] },
  write: { name: /write|create|save/, needs: ['path', 'content'], lacks: ['find'] },
  edit: { name: /edit|replace|patch|modify|update/, needs: ['path', 'find', 'replace'], lacks: [] },
} as const satisfies Readonly<Record<string, Kind>>

/** The call of a client's tool that does what an action says; undefined where it has no such tool. */
export function matchTool(action: ScriptAction, tools: readonly OfferedTool[], folder: string): ToolCall | undefined {
  const { list, read, run, search, write, edit, call, content = '', find = '', replace = '' } = action
  const direct = (kind: Kind, given: Given): ToolCall | undefined => {
    const tool = tools.find((candidate) => suits(candidate, kind))
    return tool && callOf(tool, given, folder)
  }
  const shell = (command: string): ToolCall | undefined => direct(kinds.run, { command })
  if (call !== undefined) {
    return tools.some(({ name }) => name === call) ? { name: call, arguments: action.arguments ?? {} } : undefined
  }
  if (run !== undefined) return shell(run)
  if (list !== undefined) return direct(kinds.list, { path: list, pattern: '**/*' }) ?? shell(`ls -la ${quoted(list)}`)
  if (read !== undefined) return direct(kinds.read, { path: read }) ?? shell(`cat ${quoted(read)}`)
  if (search !== undefined)
    return direct(kinds.search, { pattern: search, path: '.' }) ?? shell(`grep -rn ${quoted(search)} . | head -200`)
  if (edit !== undefined) return direct(kinds.edit, { path: edit, find, replace })
  if (write === undefined) return undefined
  return direct(kinds.write, { path: write, content }) ?? shell(`cat > ${quoted(write)} <<'EOF'\n${content}\nEOF`)
}

function suits(tool: OfferedTool, { name, needs, lacks }: Kind): boolean {
  const plain = plainly(tool.name)
  if (!name.test(plain) || elsewhere.test(plain)) return false
  const has = (use: Use): boolean => parameterFor(tool, use) !== undefined
  return needs.every(has) && !lacks.some(has)
}

function parameterFor({ parameters }: OfferedTool, use: Use): string | undefined {
  return Object.keys(parameters).find((name) => uses[use].test(plainly(name)))
}

function plainly(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** What the tool asks for, and no more: what an action says nothing of is the smallest value that will do. */
function callOf(tool: OfferedTool, given: Given, folder: string): ToolCall {
  const said = (Object.keys(given) as Use[]).flatMap((use) => {
    const name = parameterFor(tool, use)
    const value = given[use]
    return name === undefined || value === undefined
      ? []
      : [[name, written(tool, { name, use, value, folder })] as const]
  })
  const rest = tool.required.filter((name) => !said.some(([known]) => known === name))
  const samples = rest.map((name) => [name, sample(tool, name)] as const)
  return { name: tool.name, arguments: Object.fromEntries([...said, ...samples]) }
}

interface Written {
  readonly name: string
  readonly use: Use
  readonly value: string
  readonly folder: string
}

function written({ parameters }: OfferedTool, { name, use, value, folder }: Written): JsonValue {
  const schema = objectOf(parameters[name])
  const wantsWhole = use === 'path' && /absolute/i.test(`${name} ${textOf(schema['description']) ?? ''}`)
  const path = value === '.' ? folder : `${folder}/${value}`
  const shown = wantsWhole && folder !== '' && !value.startsWith('/') ? path : value
  if (schema['type'] !== 'array') return shown
  // A list is the words of one command, unless its name says that it is of several.
  return use === 'command' && !plainly(name).endsWith('s') ? ['bash', '-lc', shown] : [shown]
}

function sample({ parameters }: OfferedTool, name: string): JsonValue {
  const value = sampleOf(objectOf(parameters[name]))
  return value === '' ? 'a step of a script' : value
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
