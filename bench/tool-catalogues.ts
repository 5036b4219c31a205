import { readFileSync } from 'node:fs'
import { jsonLines } from './ladder-corpora.ts'

export interface ToolRecord {
  /** Where several servers have tools of one name. */
  readonly id?: string
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
}

/** The element of a native list. */
export function definitionOf({ name, description, inputSchema }: ToolRecord): unknown {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

/** As Python's standard library writes it. */
export function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replaceAll(/([[{]) | ([\]}])/g, '$1$2')
}

/** Every catalogue of recorded tools, by name. */
export function toolCatalogues(): readonly (readonly [name: string, tools: readonly ToolRecord[]])[] {
  const files = ['mcp-catalogs/github_mcp_server', 'mcp-catalogs/docker_mcp_registry', 'mcp-traces/catalog']
  const bfcl = ['tool-retrieval/bfcl.functions', 'tool-retrieval/bfcl_multiturn.functions']
  return [
    ...[...files, ...bfcl].map((file) => [file, toolsIn(jsonLines(file))] as const),
    ['tau-bench', tauTools()] as const,
  ]
}

interface Written {
  readonly id?: string
  readonly name: string
  readonly description: string
  readonly inputSchema?: unknown
  readonly parameters?: unknown
}

function toolsIn(records: readonly unknown[]): readonly ToolRecord[] {
  return (records as readonly Written[]).flatMap(({ id, name, description, inputSchema, parameters }) => {
    const schema = inputSchema ?? parameters
    return schema === undefined
      ? []
      : [{ ...(id !== undefined && { id }), name, description, inputSchema: plainTypes(schema) }]
  })
}

/** BFCL writes types as Python calls them. */
function plainTypes(schema: unknown): unknown {
  const names: Readonly<Record<string, string>> = { dict: 'object', float: 'number', tuple: 'array', any: 'string' }
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'type' && typeof value === 'string' ? (names[value] ?? value) : value,
  ) as unknown
}

function tauTools(): readonly ToolRecord[] {
  const text = readFileSync(new URL('../../shared/data/tau-bench/tools.json', import.meta.url), 'utf8')
  return Object.values(JSON.parse(text) as Readonly<Record<string, readonly unknown[]>>).flatMap(toolsIn)
}
