import { hkdfSync } from 'node:crypto'
import { PrehendError } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { opened, sealed } from './aes-gcm.ts'
import type { ProviderKeySettings } from './provider-key-settings.ts'
import { runKeyCommand } from './run-key-command.ts'

/** Encrypts the data keys that encrypt what tenants have. */
export interface KeyVault {
  /** Rejects with `not-configured` where there is neither a secret nor a command. */
  wrap(dataKey: Buffer): Promise<string>
  /** Rejects with `not-configured` where the data key was wrapped by a secret or a command that is not configured, or was changed. */
  unwrap(wrapped: string): Promise<Buffer>
  /** Whether a data key is wrapped by what is configured now, and need not be wrapped anew after a change of the secret. */
  isCurrent(wrapped: string): boolean
}

/** What comes first in a wrapped data key: by what it was wrapped. */
const [bySecret, byCommand] = ['secret', 'command'] as const

/** Encrypts the keys of tenants by the configured secret or command. Rejects with `not-configured` where neither is set. */
export function keyVault(settings: ProviderKeySettings | undefined): KeyVault {
  const { secret, previousSecrets = [], command, commandMs = 0 } = settings ?? {}
  const own = secret === undefined ? undefined : wrappingKey(secret)
  const known = [...(own ? [own] : []), ...previousSecrets.map(wrappingKey)]
  return {
    async wrap(dataKey) {
      if (own) return [bySecret, own.id, sealed(own.key, dataKey, bySecret)].join(':')
      if (!command) throw notConfigured('Keys of tenants cannot be stored: there is no secret to encrypt them by.')
      const wrapped = await runKeyCommand({ command, action: 'wrap', input: dataKey, limitMs: commandMs })
      return [byCommand, '', wrapped.toString('base64')].join(':')
    },
    async unwrap(wrapped) {
      const [by, id, text = ''] = wrapped.split(':')
      if (by === byCommand) {
        if (!command) throw notConfigured('A key was encrypted by a command, and none is configured.')
        const input = Buffer.from(text, 'base64')
        const dataKey = await runKeyCommand({ command, action: 'unwrap', input, limitMs: commandMs })
        if (dataKey.length === keyBytes) return dataKey
        throw notConfigured('providerKeys.command gave no data key of 32 bytes.')
      }
      const wrapping = known.find((one) => one.id === id)
      const dataKey = wrapping && opened(wrapping.key, text, bySecret)
      if (dataKey) return dataKey
      throw notConfigured(
        wrapping === undefined
          ? 'A key was encrypted by another secret than those that are configured.'
          : 'A data key in the store was changed.',
      )
    },
    isCurrent: (wrapped) =>
      own ? wrapped.startsWith(`${bySecret}:${own.id}:`) : command !== undefined && wrapped.startsWith(`${byCommand}:`),
  }
}

/** By what a data key is wrapped: `command`, or `secret:` and the id of the secret, which tells nothing of it. */
export function wrappedBy(wrapped: string): string {
  const [by = '', id = ''] = wrapped.split(':')
  return id === '' ? by : `${by}:${id}`
}

export const keyBytes = 32

interface WrappingKey {
  /** Tells secrets apart, and tells nothing of them. */
  readonly id: string
  readonly key: Buffer
}

function wrappingKey(secret: string): WrappingKey {
  const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes))
  return { id: sha256(derived('prehend provider keys: id')).slice(0, 16), key: derived('prehend provider keys: wrap') }
}

function notConfigured(problem: string): PrehendError<'not-configured'> {
  const remedy =
    'Set providerKeys.secret (PREHEND_PROVIDER_KEYS_SECRET), the secrets before it in providerKeys.previousSecrets, or providerKeys.command.'
  return new PrehendError('not-configured', `${problem} ${remedy}`, { provider: '', remedy })
}
