import { invalidInput } from '../../core/index.ts'
import type { Relation } from '../kernel/portable.ts'

export const exportSchema = 'prehend.export/1'

/** The first line of a file. */
export interface ExportHeader {
  readonly schema: typeof exportSchema
  /** The version of Prehend that has written it. */
  readonly version: string
  /** Whose data it holds; '' stands for the installation itself. */
  readonly tenants: readonly string[]
  /** The columns of the rows of each table, by which another version sees whether it knows them. */
  readonly tables: Readonly<Record<string, readonly string[]>>
}

/** The last line: how many rows of each table stand in the file, and the SHA-256 of all lines before it. */
export interface ExportEnd {
  readonly rows: Readonly<Record<string, number>>
  readonly sha256: string
}

export interface HeaderParts {
  readonly version: string
  readonly tenants: readonly string[]
  readonly relations: readonly Relation[]
}

export function headerOf({ version, tenants, relations }: HeaderParts): ExportHeader {
  const tables = Object.fromEntries(relations.map(({ name, columns }) => [name, columns]))
  return { schema: exportSchema, version, tenants, tables }
}

/** Throws where a first line is none, or of tables that this version does not have. */
export function readHeader(line: string, relations: readonly Relation[]): ExportHeader {
  const header = parsed(line)
  if (!isObject(header) || header['schema'] !== exportSchema)
    throw refused('is no export', `Give a file that prehend export has written (schema ${exportSchema}).`)
  const { version, tenants, tables } = header
  if (!Array.isArray(tenants) || !isObject(tables)) throw refused('has a damaged first line', remedyOfDamage)
  for (const [name, columns] of Object.entries(tables)) {
    const known = relations.find((relation) => relation.name === name)?.columns
    if (known === undefined && name.includes('__')) throw ofExtension(name)
    if (JSON.stringify(known) !== JSON.stringify(columns))
      throw refused(
        `was written by version ${String(version)}, whose table ${name} is another`,
        'Import it with that version or a newer one.',
      )
  }
  return header as unknown as ExportHeader
}

function ofExtension(name: string): Error {
  const [extension = ''] = name.split('__', 1)
  return refused(
    `has the table ${name} of an extension that is not open here`,
    `Import it with the extension ${extension.replaceAll('_', '-')}: --extension MODULE.`,
  )
}

export const remedyOfDamage = 'Export again; nothing was written.'

export function refused(problem: string, remedy: string): Error {
  return invalidInput('FILE', problem, remedy)
}

export function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw refused('has a line that is no JSON', remedyOfDamage)
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
