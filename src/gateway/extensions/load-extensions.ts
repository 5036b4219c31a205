import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { invalidInput } from '../../core/index.ts'
import { readExtension, tablesOf } from '../../sessions/index.ts'
import type { Table } from '../../stores/index.ts'
import type { ConfiguredExtension } from '../../sessions/index.ts'

/** An extension as a configuration names it. */
export interface NamedExtension {
  /** A path, a package, or a `file:` URL. */
  readonly module: string
  readonly config?: unknown
}

/** The same with the addresses of their modules, which mean the same on every thread. Paths and packages are looked up from a folder. */
export function placedModules(extensions: readonly NamedExtension[], folder: string): readonly NamedExtension[] {
  return extensions.map((one) => ({ ...one, module: placeOf(one.module, folder) }))
}

function placeOf(module: string, folder: string): string {
  if (module.startsWith('file:')) return module
  if (isAbsolute(module) || /^\.{1,2}(?:[/\\]|$)/.test(module)) return pathToFileURL(resolve(folder, module)).href
  try {
    return pathToFileURL(createRequire(join(resolve(folder), 'config.json')).resolve(module)).href
  } catch {
    // Perhaps it is installed beside the gateway; where it is not either, the import says so.
    return module
  }
}

/** Imports the modules, and gives what they export by default. Rejects with an `invalid-input` that names the module. */
export async function loadExtensions(extensions: readonly NamedExtension[]): Promise<readonly ConfiguredExtension[]> {
  const loaded: ConfiguredExtension[] = []
  for (const { module, config } of extensions) {
    const at = `extension ${shownModule(module)}`
    loaded.push({ extension: readExtension(await defaultOf(module, at), at), config })
  }
  return loaded
}

/** What a store is opened with, so that extensions have their tables. */
export interface TablesOfExtensions {
  readonly tables: readonly Table[]
  /** The modules that bring them, for threads that open or ask the store. */
  readonly modules: readonly string[]
}

/** Imports the modules for the tables alone. Rejects as `loadExtensions`. */
export async function extensionTablesIn(extensions: readonly NamedExtension[]): Promise<TablesOfExtensions> {
  const loaded = await loadExtensions(extensions)
  const modules = extensions.flatMap(({ module }, at) => (loaded[at]?.extension.tables ? [module] : []))
  return { tables: tablesOf(loaded), modules: [...new Set(modules)] }
}

async function defaultOf(module: string, at: string): Promise<unknown> {
  let exported: { readonly default?: unknown }
  try {
    exported = (await import(module)) as { readonly default?: unknown }
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    throw invalidInput(
      at,
      `cannot be loaded: ${why.replace(/ imported from .*$|\.+$/, '')}`,
      'Check the name of the module',
    )
  }
  if (exported.default === undefined)
    throw invalidInput(at, 'has no default export', 'Give the extension as the default export of its module')
  return exported.default
}

/** A module as people write it. */
export function shownModule(module: string): string {
  return module.startsWith('file:') ? fileURLToPath(module) : module
}
