import { invalidInput } from '../core/index.ts'
import { named } from '../sessions/index.ts'
import { blobsSettings } from './blobs-settings.ts'
import type { BlobsSettings } from './blobs-settings.ts'
import { withExtensions } from './command-extensions.ts'
import type { KeptState } from './command-extensions.ts'
import { configFile } from './serving-config.ts'
import { variablesOf } from './variables.ts'
import type { OtherCommand } from './other-command.ts'
import { openStore, storePlace } from './store-place.ts'
import type { StoreOptions } from './store-place.ts'
import type { Io } from './io.ts'

/** Runs the command of an extension; undefined where none has it. */
export function runExtensionCommand({ name, rest, options }: OtherCommand, io: Io): Promise<number | undefined> {
  const kept: KeptState = {
    openStore: (tables) => openStore(storePlace(storeOf(io.environment), io.environment), io, tables),
    blobs: writtenBlobs(options.config, io.environment),
  }
  return withExtensions(
    options,
    async ({ all }) => {
      const found = all.flatMap(({ name: of, added }) =>
        (added.commands ?? []).flatMap((command) => (command.name === name ? [{ of, command }] : [])),
      )
      const [first, second] = found
      if (first && second)
        throw invalidInput(
          name,
          `is a command of ${named(first.of)} and of ${named(second.of)}`,
          'Leave one of them out',
        )
      if (first === undefined) return undefined
      const { environment, interrupted } = io
      const asked = { arguments: rest, environment, interrupted, out: (text: string) => io.out(text) }
      return (await first.command.run({ ...asked, err: (text) => io.err(text) })) ?? 0
    },
    kept,
  )
}

function storeOf({ PREHEND_DATA: data, PREHEND_STORE: store }: Io['environment']): StoreOptions {
  return { ...(data !== undefined && { data }), ...(store !== undefined && { store }) }
}

/** As a gateway with the same file and environment has it. */
function writtenBlobs(path: string | undefined, environment: Io['environment']): BlobsSettings {
  const said = variablesOf('BLOBS').flatMap((name) => environment[name] || [])[0]
  return blobsSettings({ said, file: path === undefined ? {} : configFile(path), path }, environment)
}
