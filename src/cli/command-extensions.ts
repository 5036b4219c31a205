import { dirname } from 'node:path'
import { memoryStore } from '../stores/index.ts'
import type { BlobsSettings } from './blobs-settings.ts'
import { configFile, servingOptions, writtenExtensions } from './serving-options.ts'
import type { GatewayExtensions } from '../gateway/index.ts'
import type { Store } from '../stores/index.ts'
import type { OptionTable, OptionValues } from './command.ts'

/** Where a command that does not serve finds extensions. */
export const extensionOptions = {
  config: { ...servingOptions.config, about: 'JSON file of the gateway, of which the extensions are used' },
  extension: servingOptions.extension,
} as const satisfies OptionTable

export type ExtensionOptions = OptionValues<typeof extensionOptions>

/** What a command's extensions share with a gateway. */
export interface KeptState {
  readonly openStore: () => Promise<Store>
  readonly blobs: BlobsSettings
}

/** Opens the extensions that options and variables name, for as long as `work` takes. They get an empty store and blobs in memory by default. */
export async function withExtensions<Result>(
  { config, extension }: ExtensionOptions,
  work: (extensions: GatewayExtensions) => Promise<Result>,
  kept?: KeptState,
): Promise<Result> {
  const fromFile = config === undefined ? undefined : configFile(config)['extensions']
  const written = writtenExtensions(extension, fromFile)
  const { noExtensions } = await import('../sessions/index.ts')
  if (written === undefined) return work(noExtensions)
  const { openBlobs, openGatewayExtensions, parseConfig, placedModules } = await import('../gateway/index.ts')
  const settings = parseConfig({ extensions: written, ...kept?.blobs })
  const named = placedModules(settings.extensions, config === undefined ? '.' : dirname(config))
  const store = kept === undefined ? memoryStore() : await kept.openStore()
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
