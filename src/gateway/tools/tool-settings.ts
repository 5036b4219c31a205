import { z } from 'zod'
import { invalidInput, toolLevels } from '../../core/index.ts'
import type { PrehendError } from '../../core/index.ts'
import { ownServer, toolTimeouts } from '../../tools/index.ts'

const names = z.array(z.string().min(1).max(200))
const milliseconds = z.number().int().min(1).max(3_600_000)
const headers = z.record(z.string().regex(/^[\w-]+$/), z.string())

const toolSource = z.strictObject({
  file: z.string().min(1).exactOptional().describe('A JSON file with a list of tools.'),
  command: z
    .string()
    .min(1)
    .exactOptional()
    .describe('A program that is an MCP server on its standard input and output.'),
  args: z.array(z.string()).exactOptional().describe('Arguments of the program.'),
  env: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe(
      'Environment of the program, beside PATH, HOME and the like. It gets nothing else of that of the gateway.',
    ),
  cwd: z.string().min(1).exactOptional().describe('Folder that the program runs in.'),
  url: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe('An MCP server over streamable HTTP.'),
  openapi: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'A file or an address with an OpenAPI 3 document, in JSON or, where the package `yaml` is installed, YAML.',
    ),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe('Of an OpenAPI document: where its operations are. Default: the first of its `servers`.'),
  headers: headers.exactOptional().describe('Sent with every request to an address of the source.'),
  level: z.enum(toolLevels).exactOptional().describe('Level of its tools. Default: that of the file, else `protocol`.'),
  timeout: z
    .enum(toolTimeouts)
    .exactOptional()
    .describe('Timeout class of its tools. Default: that of the file, else `medium`.'),
  scopes: names.exactOptional().describe('Scopes that a call of any of its tools needs, beside those of the tool.'),
  idempotent: names
    .exactOptional()
    .describe('Tools whose calls may be tried again, beside those that their source calls read-only or idempotent.'),
  accept: names
    .exactOptional()
    .describe('Tools that are offered although their description looks like orders to a model.'),
  tenants: names.exactOptional().describe('Tenants that have its tools. Default: all.'),
})

export type ToolSourceSettings = z.output<typeof toolSource>

export const toolSettings = z.strictObject({
  sources: z
    .record(z.string().regex(/^[a-z][a-z0-9._-]{0,63}$/, 'is no name in lower case'), toolSource)
    .default({})
    .describe(
      'Where tools come from, by name. Each source is a `file`, a `command`, a `url` or an `openapi` document.',
    ),
  core: names
    .default([])
    .describe('Tools, by id such as `files::read`, that every session of their tenants is offered by name.'),
  scopes: z
    .record(z.string().min(1).max(200), names)
    .default({})
    .describe('Scopes that calls may use, by tenant, and `*` for all other tenants. Default: all scopes.'),
  allowedHosts: z
    .array(z.string().regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'is not the name of a host, with its port or without'))
    .default([])
    .describe('Hosts that tools may call which tenants have put themselves. Default: none.'),
  resultTokens: z
    .number()
    .int()
    .min(100)
    .max(1_000_000)
    .default(4000)
    .describe('A longer result is stored as an artifact; the caller gets a summary and its URI.'),
  mostTools: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(2000)
    .describe('Most tools of one source; the rest is left out.'),
  connectMs: milliseconds.default(10_000).describe('Longest until a source has listed its tools.'),
  refreshMs: milliseconds
    .default(60_000)
    .describe('A source that failed, or that says its tools changed, is not asked again sooner.'),
  fastMs: milliseconds.default(2000).describe('Longest call of the timeout class `fast`.'),
  mediumMs: milliseconds.default(15_000).describe('Longest call of the timeout class `medium`.'),
  slowMs: milliseconds.default(120_000).describe('Longest call of the timeout class `slow`.'),
})

export type ToolSettings = z.output<typeof toolSettings>

const kinds = ['file', 'command', 'url', 'openapi'] as const
export type SourceKind = (typeof kinds)[number]

/** What kind of source it is. */
export function kindOf(source: ToolSourceSettings): SourceKind | undefined {
  const given = kinds.filter((kind) => source[kind] !== undefined)
  return given.length === 1 ? given[0] : undefined
}

const needs: Readonly<Record<string, readonly SourceKind[]>> = {
  args: ['command'],
  env: ['command'],
  cwd: ['command'],
  baseUrl: ['openapi'],
  headers: ['url', 'openapi'],
}

/** What is wrong with the sources of a configuration beyond the types of their members. */
export function toolErrors({ sources }: Pick<ToolSettings, 'sources'>): readonly PrehendError[] {
  return Object.entries(sources).flatMap(([name, source]) => {
    const field = `tools.sources.${name}`
    if (name === ownServer)
      return [invalidInput(field, 'is the name of what tenants put themselves', 'Choose another name.')]
    const kind = kindOf(source)
    if (kind === undefined)
      return [invalidInput(field, `must have exactly one of ${kinds.join(', ')}`, 'Keep one of them.')]
    return Object.entries(needs).flatMap(([member, allowed]) =>
      Object.hasOwn(source, member) && !allowed.includes(kind)
        ? [invalidInput(`${field}.${member}`, `is not for a source with ${kind}`, 'Leave it out.')]
        : [],
    )
  })
}
