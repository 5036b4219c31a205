import { callable, invalidInput, isPrehendError, objectLike, shape } from '../../core/index.ts'
import type { PrehendError } from '../../core/index.ts'
import { extensionTables } from '../../stores/index.ts'
import type { Table } from '../../stores/index.ts'
import type { AnyExtension, ConfigIssue, GivenExtension } from './extension.ts'

/** An extension with the configuration that it was handed in with. */
export interface ConfiguredExtension {
  readonly extension: AnyExtension
  readonly config: unknown
}

const extensionShape = shape.object<AnyExtension>({
  name: shape.name,
  specificationVersion: shape.oneOf([1]),
  config: shape.optional(objectLike('a schema by Standard Schema, such as one of zod')),
  tables: shape.optional(shape.list(objectLike<Table>('a table'))),
  open: callable(),
})

const names: ReadonlySet<string> = new Set(extensionShape.names)
const nameForm = /^[a-z][a-z0-9-]{0,39}$/

/** Reads a value that was handed in as an extension. Throws `invalid-input` that names the extension and the member. */
export function configuredExtension(given: unknown, at: string): ConfiguredExtension {
  if (!isPaired(given)) return { extension: readExtension(given, at), config: undefined }
  shape.checkMembers(given, new Set(['extension', 'config']), at)
  return { extension: readExtension(given.extension, at), config: given.config }
}

function isPaired(given: unknown): given is Extract<GivenExtension, { readonly extension: unknown }> {
  return typeof given === 'object' && given !== null && 'extension' in given
}

/** The value as an extension. `at` is where it was found, such as the name of its module. */
export function readExtension(value: unknown, at: string): AnyExtension {
  if (typeof value !== 'object' || value === null)
    throw invalidInput(at, 'is not an extension', 'Give an object with name, specificationVersion and open.')
  const field = 'name' in value && typeof value.name === 'string' && value.name !== '' ? named(value.name) : at
  shape.check(extensionShape, value, field)
  shape.checkMembers(value, names, field)
  const extension = value as AnyExtension
  if (!nameForm.test(extension.name))
    throw invalidInput(`${at}.name`, `is ${JSON.stringify(extension.name)}`, 'Use lower-case letters, digits and -.')
  extensionTables(extension)
  return extension
}

/** How an extension is called in errors. */
export function named(name: string): string {
  return `extension ${name}`
}

/** The configuration as the extension's schema reads it. Rejects with `invalid-input`. */
export async function readConfig({ extension, config }: ConfiguredExtension): Promise<unknown> {
  const field = `${named(extension.name)}.config`
  const schema = extension.config
  if (schema === undefined) {
    if (config === undefined) return undefined
    throw invalidInput(field, 'is not known', 'Leave it out: the extension takes no configuration.')
  }
  const standard = schema['~standard']
  if (typeof standard?.validate !== 'function')
    throw invalidInput(field, 'has no "~standard".validate', 'Give a schema by Standard Schema, such as one of zod.')
  const read = await standard.validate(config ?? {})
  if (read.issues === undefined) return read.value
  const [issue = { message: 'is not valid' }] = read.issues
  throw invalidInput(field + pathOf(issue), `is not valid: ${withoutStop(issue.message)}`, 'Correct it.')
}

function pathOf({ path = [] }: ConfigIssue): string {
  return path.map((step) => `.${String(typeof step === 'object' ? step.key : step)}`).join('')
}

/** What an extension has thrown, as an error that names it. */
export function extensionFailure(name: string, doing: string, error: unknown): PrehendError {
  if (isPrehendError(error) && error.message.startsWith(named(name))) return error
  const why = error instanceof Error ? error.message : String(error)
  const remedy = 'Correct the extension or its configuration, or leave it out'
  return invalidInput(named(name), `${doing}: ${withoutStop(why.split('\n', 1)[0] ?? '')}`, remedy)
}

function withoutStop(text: string): string {
  return text.replace(/\.+$/, '')
}
