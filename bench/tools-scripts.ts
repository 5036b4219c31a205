import { encodingTokenizer } from '../src/tokens/index.ts'
import {
  executeToolDefinition,
  registryEntry,
  schemaAnswer,
  searchToolsDefinition,
  toolLine,
  toolSchemaDefinition,
  typedClient,
} from '../src/tools/index.ts'
import type { RegistryTool, SearchedTool } from '../src/tools/index.ts'
import { markdownTable } from './markdown-table.ts'
import type { ToolSet } from './tools-data.ts'
import { tokensOf } from './tools-selection.ts'

/** What a request of an agent reads of one tool, in tokens by o200k, in each form that it may have. */
export interface FormTokens {
  /** In the list of functions of every request. */
  readonly definition: number
  /** In an answer of `search_tools`. */
  readonly line: number
  /** An answer of `get_tool_schema`. */
  readonly schema: number
  /** `GET /v1/tools/{id}/client.ts`. */
  readonly client: number
  /** Of it what differs from tool to tool: an agent that writes code needs to read no more. */
  readonly signature: number
}

const { count } = encodingTokenizer('o200k_base')

/** Of the tools that a registry takes. */
export function formsOf(tools: readonly SearchedTool[]): readonly FormTokens[] {
  const definitions = tokensOf(tools)
  const common = new Set(typedClient(entryOf(plainTool)).split('\n'))
  return tools.flatMap((tool): readonly FormTokens[] => {
    const entry = entered(tool)
    if (entry === undefined) return []
    const { name, description, schema } = tool
    const client = typedClient(entry)
    const own = client.split('\n').filter((line) => !common.has(line))
    return [
      {
        definition: definitions.get(tool.id) ?? 0,
        line: count(`- ${toolLine(entry)}`),
        schema: count(schemaAnswer([{ name, description, schema }], JSON.stringify({ toolName: name })).text),
        client: count(client),
        signature: count(own.join('\n')),
      },
    ]
  })
}

const plainTool: SearchedTool = { id: 'plain', name: 'plain', description: '', schema: { type: 'object' } }

function entered({ name, description, schema: inputSchema }: SearchedTool): RegistryTool | undefined {
  const given = registryEntry({ name: name.replaceAll(/[^\w.-]/g, '_'), description, inputSchema }, of)
  return 'refused' in given ? undefined : { ...given.tool, calledAs: given.tool.name }
}

function entryOf(tool: SearchedTool): RegistryTool {
  const entry = entered(tool)
  if (entry === undefined) throw new Error('it is no tool of a registry')
  return entry
}

const of = { server: 'own', protocol: 'native' } as const

/** How many lines a search answers with. */
const lines = 5

/**
 * What a catalogue costs a request as definitions, and what an agent reads that runs its tools by scripts: the meta-tools in every request, and
 * for each tool that it comes to use one search and one schema or client (G-023).
 */
export function scriptsTable(sets: readonly ToolSet[]): string {
  const meta = [searchToolsDefinition(''), toolSchemaDefinition, executeToolDefinition]
  const standing = tokensOf(meta.map((tool) => ({ ...tool, id: tool.name })))
    .values()
    .reduce((sum, own) => sum + own, 0)
  const rows = [...new Map(sets.toReversed().map((set) => [set.tools, set])).values()]
    .toReversed()
    .map(({ name, tools }) => {
      const forms = formsOf(tools)
      const mean = (form: keyof FormTokens): number => forms.reduce((sum, one) => sum + one[form], 0) / forms.length
      const all = mean('definition') * forms.length
      const search = lines * mean('line')
      return {
        'catalogue': name,
        'tools': String(forms.length),
        'all definitions': all.toFixed(0),
        'a definition': mean('definition').toFixed(0),
        'a line': mean('line').toFixed(0),
        'a schema': mean('schema').toFixed(0),
        'a client': mean('client').toFixed(0),
        'its signature': mean('signature').toFixed(0),
        'to use one tool': (standing + search + mean('schema')).toFixed(0),
        'to use ten': (standing + 10 * (search + mean('schema'))).toFixed(0),
      }
    })
  return `The three definitions that stand in every request: ${standing} tokens.\n\n${markdownTable(rows)}`
}
