import { dirname } from 'node:path'
import { memoryStore } from '../stores/index.ts'
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

/** Opens the extensions that options and variables name, for as long as `work` takes. They get an empty store in memory by default. */
export async function withExtensions<Result>(
  { config, extension }: ExtensionOptions,
  work: (extensions: GatewayExtensions) => Promise<Result>,
  openStore: () => Promise<Store> = async () => memoryStore(),
): Promise<Result> {
  const fromFile = config === undefined ? undefined : configFile(config)['extensions']
  const written = writtenExtensions(extension, fromFile)
  const { noExtensions } = await import('../sessions/index.ts')
  if (written === undefined) return work(noExtensions)
  const { openGatewayExtensions, parseConfig, placedModules } = await import('../gateway/index.ts')
  const named = placedModules(
    parseConfig({ extensions: written }).extensions,
    config === undefined ? '.' : dirname(config),
  )
  const store = await openStore()
  try {
    const extensions = await openGatewayExtensions({ named, place: 'command', store, clock: Date.now })
    try {
      return await work(extensions)
    } finally {
      await extensions.close()
    }
  } finally {
    await store.close()
  }
}
