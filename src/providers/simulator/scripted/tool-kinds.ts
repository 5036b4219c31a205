import { objectOf, textOf } from '../read-json.ts'
import type { OfferedTool } from './offered-tool.ts'

/** What a parameter is for, told by its name without case and punctuation. */
const uses = {
  path: /^(?:(?:abs(?:olute)?|relative|target|workspace|source)*(?:file|dir|directory|folder)?paths?|file(?:name)?|targetfile|dir(?:ectory)?|folder|uri)$/,
  command: /^(?:command(?:line)?s?|cmds?|script|code)$/,
  pattern: /^(?:pattern|query|queries|regexp?|search(?:term|string)?|glob(?:pattern)?)$/,
  content: /^(?:new)?(?:content|contents|filetext|text|filecontents?|body)$/,
  find: /^(?:old(?:string|str|text|content)?|find|search|target)$/,
  replace: /^(?:new(?:string|str|text|content)?|replace(?:ment)?)$/,
  patch: /^(?:input|patch(?:text)?|diff)$/,
} as const

export type Use = keyof typeof uses
export type Given = Partial<Record<Use, string>>

/** A kind of tool: what its name says, what it must take, and what it may not be about. */
interface KindOfTool {
  readonly name: RegExp
  readonly needs: readonly Use[]
  readonly lacks: readonly Use[]
}

/** Tools of these names are about something other than files and commands. */
const elsewhere =
  /todo|web|url|http|browser|mcp|memory|notebook|agent|task|image|rehydrate|background|^toolsearch$|^searchtools?$/

const kinds = {
  run: { name: /bash|shell|exec|command|terminal|run/, needs: ['command'], lacks: [] },
  read: { name: /read|view|cat|open|getfile|fetchfile/, needs: ['path'], lacks: ['content', 'find', 'pattern'] },
  list: { name: /list|tree|^ls$|dir/, needs: ['path'], lacks: ['content', 'find', 'command'] },
  glob: { name: /list|glob/, needs: ['pattern'], lacks: ['content', 'find', 'command'] },
  search: { name: /grep|search|^rg$|find/, needs: ['pattern'], lacks: ['replace', 'content'] },
  searchIn: { name: /grep|search|^rg$|find/, needs: ['pattern', 'path'], lacks: ['replace', 'content'] },
  write: { name: /write|create|save/, needs: ['path', 'content'], lacks: ['find'] },
  edit: { name: /edit|replace|patch|modify|update/, needs: ['path', 'find', 'replace'], lacks: [] },
  patch: { name: /^applypatch$/, needs: ['patch'], lacks: [] },
} as const satisfies Readonly<Record<string, KindOfTool>>

export type Kind = keyof typeof kinds

/** The first tool of a kind. */
export function toolOf(kind: Kind, tools: readonly OfferedTool[]): OfferedTool | undefined {
  return tools.find((tool) => suits(tool, kinds[kind]))
}

function suits(tool: OfferedTool, { name, needs, lacks }: KindOfTool): boolean {
  const plain = plainly(tool.name)
  if (!name.test(plain) || elsewhere.test(plain)) return false
  if (tool.takesText === true) return needs.length === 1 && needs[0] === 'patch'
  const has = (use: Use): boolean => parameterFor(tool, use) !== undefined
  return needs.every(has) && !lacks.some(has)
}

export interface FoundParameter {
  readonly name: string
  readonly description: string
  /** The parameter that is a list of objects, of which this is a member. */
  readonly list?: string
}

/** The parameter for a use: one of the tool, or a member of the objects that a list of it holds. */
export function parameterFor({ parameters }: OfferedTool, use: Use): FoundParameter | undefined {
  const own = Object.entries(parameters).find(([name, schema]) => {
    return uses[use].test(plainly(name)) && membersOf(objectOf(schema)) === undefined
  })
  if (own !== undefined) return { name: own[0], description: textOf(objectOf(own[1])['description']) ?? '' }
  for (const [list, schema] of Object.entries(parameters)) {
    const members = Object.entries(membersOf(objectOf(schema)) ?? {})
    const found = members.find(([name]) => uses[use].test(plainly(name)))
    if (found !== undefined)
      return { name: found[0], description: textOf(objectOf(found[1])['description']) ?? '', list }
  }
  return undefined
}

/** What the objects of a list hold; undefined for anything but a list of objects. */
function membersOf(schema: ReturnType<typeof objectOf>): ReturnType<typeof objectOf> | undefined {
  const items = objectOf(schema['items'])
  return schema['type'] === 'array' && items['properties'] !== undefined ? objectOf(items['properties']) : undefined
}

export function plainly(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}
