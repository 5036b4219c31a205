import { z } from 'zod'
import { schemaAtLevel } from '../src/ladders/index.ts'
import type { ToolRecord } from './tool-catalogues.ts'
import { definitionOf } from './tool-catalogues.ts'
import { traces } from './ladder-corpora.ts'

type SchemaLevel = Parameters<typeof schemaAtLevel>[1]

/** Recorded calls of a set against the definitions of its tools, by level. */
export interface CallFigures {
  /** Calls of tools that the catalogue holds and whose whole definition can be checked. */
  readonly calls: number
  /** Of them those that a definition accepts, by level. */
  readonly accepted: Readonly<Record<SchemaLevel, number>>
  /** Those that a level judges otherwise than the whole definition. */
  readonly other: Readonly<Record<SchemaLevel, number>>
}

export const checkedLevels = ['none', 'minify', 'truncate', 'required'] as const satisfies readonly SchemaLevel[]

type Accepts = (args: unknown) => boolean

/** Holds every recorded call against the definition of its tool as each level has it. */
export function checkCalls(file: string, tools: readonly ToolRecord[]): CallFigures {
  const byName = new Map(tools.flatMap((tool) => [[tool.name, tool] as const, [tool.id ?? tool.name, tool] as const]))
  const checks = new Map<string, Accepts | undefined>()
  const checkOf = (name: string, level: SchemaLevel): Accepts | undefined => {
    const key = `${level} ${name}`
    if (!checks.has(key)) checks.set(key, acceptsAt(byName.get(name), level))
    return checks.get(key)
  }
  const figures = { calls: 0, accepted: zero(), other: zero() }
  for (const { name, args } of callsIn(file)) {
    const whole = checkOf(name, 'none')
    if (whole === undefined) continue
    figures.calls += 1
    for (const level of checkedLevels) {
      const accepts = checkOf(name, level)?.(args) === true
      if (accepts) figures.accepted[level] += 1
      if (accepts !== whole(args)) figures.other[level] += 1
    }
  }
  return figures
}

const zero = (): Record<SchemaLevel, number> => ({
  none: 0,
  minify: 0,
  unexampled: 0,
  truncate: 0,
  required: 0,
  aggressive: 0,
})

function acceptsAt(tool: ToolRecord | undefined, level: SchemaLevel): Accepts | undefined {
  if (tool === undefined) return undefined
  const text = schemaAtLevel(JSON.stringify(definitionOf(tool)), level) ?? ''
  try {
    const { parameters } = (JSON.parse(text) as { readonly function: { readonly parameters: object } }).function
    const schema = z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0])
    return (args) => schema.safeParse(args).success
  } catch {
    return undefined
  }
}

interface Wrapped {
  readonly server_name?: string
  readonly tool_name?: string
  readonly params?: unknown
}

/** A call through a router is one of the tool that it names. */
function unwrapped(name: string, args: Wrapped): { readonly name: string; readonly args: unknown } {
  const { server_name: server, tool_name: tool, params } = args
  return server === undefined || tool === undefined ? { name, args } : { name: `${server}::${tool}`, args: params }
}

function callsIn(file: string): readonly { readonly name: string; readonly args: unknown }[] {
  return traces(file).flatMap(({ messages }) =>
    messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.flatMap(({ name, arguments: json }) => {
        try {
          return [unwrapped(name, JSON.parse(json) as Wrapped)]
        } catch {
          return []
        }
      }),
    ),
  )
}
