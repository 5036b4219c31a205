import type { GatewayConfig } from '../gateway/index.ts'
import { blobsSettings } from './blobs-settings.ts'
import type { Io } from './io.ts'
import { providerKeysOf } from './provider-key-variables.ts'
import { withoutSecretVariables } from './secret-variables.ts'
import { configFile } from './serving-config.ts'
import { servingOptions } from './serving-options.ts'
import { blobsFolder } from './store-place.ts'
import type { StoreOptions } from './store-place.ts'
import { variablesOf } from './variables.ts'
import type { OptionTable } from './command.ts'

/** What a command on a store has to know of the gateway that serves it. */
export const gatewayFileOptions = {
  config: { ...servingOptions.config, about: 'of a store: the JSON file of its gateway' },
} as const satisfies OptionTable

/** Where a command finds bytes. */
export const blobsOption = {
  type: 'text',
  about: 'of a store: where the gateway keeps bytes, a folder or s3://HOST/BUCKET',
  placeholder: 'PLACE',
  fallback: 'as in --config, else the folder blobs beside the store',
  variables: variablesOf('BLOBS'),
} as const

export interface GatewayFile extends StoreOptions {
  readonly config?: string
  readonly blobs?: string
}

/** The configuration of the gateway that serves a store, as far as commands go by it: without tokens, ports and extensions. */
export async function fileConfig(given: GatewayFile, { environment }: Io): Promise<GatewayConfig> {
  const { parseConfig } = await import('../gateway/index.ts')
  const file = given.config === undefined ? {} : withoutSecretVariables(configFile(given.config))
  const said = given.blobs ?? (file['blobs'] === undefined ? blobsFolder(given, environment) : undefined)
  const providerKeys = providerKeysOf(environment, file['providerKeys'])
  const { extensions: _, ...rest } = file
  return parseConfig({
    ...rest,
    ...blobsSettings({ said, file, path: given.config }, environment),
    ...(providerKeys !== undefined && { providerKeys }),
  })
}
