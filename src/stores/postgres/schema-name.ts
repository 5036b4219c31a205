import { invalidInput } from '../../core/index.ts'

/** Throws `invalid-input` for what is no name of a schema: it becomes part of statements. */
export function requireSchemaName(schema: string): void {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return
  throw invalidInput('options.schema', 'is no name of a schema', 'Use lower-case letters, digits and _.')
}
