import { dirname } from 'node:path'
import { memoryStore } from '../stores/index.ts'
import type { BlobsSettings } from './blobs-settings.ts'
import { configFile, writtenExtensions } from './serving-config.ts'
import { servingOptions } from './serving-options.ts'
import type { GatewayExtensions } from '../gateway/index.ts'
import type { Store, Table } from '../stores/index.ts'
import type { OptionTable, OptionValues } from './command.ts'

/** Where a command that does not serve finds extensions. */
export const extensionOptions = {
  config: { ...servingOptions.config, about: 'JSON file of the gateway; its extensions are used' },
  extension: servingOptions.extension,
} as const satisfies OptionTable

export type ExtensionOptions = OptionValues<typeof extensionOptions>

/** What a command's extensions share with a gateway. */
export interface KeptState {
  readonly openStore: (tables: readonly Table[]) => Promise<Store>
  readonly blobs: BlobsSettings
}

/** Opens the extensions that options and variables name, for as long as `work` takes. They get an empty store and blobs in memory by default. */
export async function withExtensions<Result>(
  options: ExtensionOptions,
  work: (extensions: GatewayExtensions) => Promise<Result>,
  kept?: KeptState,
): Promise<Result> {
  const written = writtenIn(options)
  const { noExtensions } = await import('../sessions/index.ts')
  if (written === undefined) return work(noExtensions)
  const { extensionTablesIn, openBlobs, openGatewayExtensions, parseConfig, placedModules } =
    await import('../gateway/index.ts')
  const settings = parseConfig({ extensions: written, ...kept?.blobs })
  const named = placedModules(settings.extensions, folderOf(options))
  const { tables } = await extensionTablesIn(named)
  const store = kept === undefined ? memoryStore({ tables }) : await kept.openStore(tables)
  try {
    const { blobs } = await openBlobs(settings, { store })
    const extensions = await openGatewayExtensions({ named, place: 'command', store, blobs, clock: Date.now })
    try {
      return await work(extensions)
    } finally {
      await extensions.close()
    }
  } finally {
    await store.close()
  }
}

function writtenIn({ config, extension }: ExtensionOptions): unknown {
  return writtenExtensions(extension, config === undefined ? undefined : configFile(config)['extensions'])
}

/** The tables of the extensions that options and variables name; nothing of them is opened. */
export async function namedTables(options: ExtensionOptions): Promise<readonly Table[]> {
  const written = writtenIn(options)
  if (written === undefined) return []
  const { extensionTablesIn, parseConfig, placedModules } = await import('../gateway/index.ts')
  const { extensions } = parseConfig({ extensions: written })
  const named = placedModules(extensions, folderOf(options))
  return (await extensionTablesIn(named)).tables
}

function folderOf({ config }: ExtensionOptions): string {
  return config === undefined ? '.' : dirname(config)
}
