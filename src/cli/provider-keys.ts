import { invalidInput } from '../core/index.ts'
import { command } from './command.ts'
import { gatewayFileOptions } from './gateway-file.ts'
import { placeOptions } from './keys-place.ts'
import { withProviderKeys } from './provider-keys-place.ts'
import type { ListedProviderKey } from './provider-keys-place.ts'
import { readText } from './read-text.ts'
import { fittedTable } from './text-table.ts'
import { momentText } from './time-text.ts'

const actions = ['list', 'set', 'remove', 'rewrap'] as const

export const providerKeysCommand = command({
  name: 'provider-keys',
  about: 'set, list and remove the keys that a tenant has for providers, which are stored encrypted',
  details: [
    'prehend provider-keys set UPSTREAM: reads the key from standard input, or from --from FILE. It is never shown again.',
    'prehend provider-keys list: the first and last characters of each. prehend provider-keys remove UPSTREAM.',
    'prehend provider-keys rewrap: encrypts by the present secret what the secrets before it have encrypted. Give the old one in providerKeys.previousSecrets of --config.',
    'On a store, the secret comes from PREHEND_PROVIDER_KEYS_SECRET, from the file that PREHEND_PROVIDER_KEYS_SECRET_FILE names, or from providerKeys of --config. With --url the gateway has it.',
  ],
  positional: { name: 'ACTION', about: 'list, set, remove or rewrap; then the UPSTREAM', least: 0, most: 2 },
  options: {
    ...placeOptions,
    ...gatewayFileOptions,
    tenant: { type: 'text', about: 'tenant of the keys', placeholder: 'TENANT', fallback: 'default' },
    from: { type: 'text', about: 'of set: a file that holds the key', placeholder: 'FILE', fallback: 'standard input' },
  },
  examples: [
    'prehend provider-keys set openai --tenant acme --from key.txt',
    'prehend provider-keys list --tenant acme --url http://127.0.0.1:8484 --token ADMIN_TOKEN',
    'prehend provider-keys rewrap --config gateway.json',
  ],
  async run({ options, positionals: [action = 'list', upstream = ''], io }) {
    const { from = '-', json = false, ...given } = options
    requireAction(action, upstream)
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    await withProviderKeys(given, io, async (keys) => {
      if (action === 'list') {
        const found = await keys.list()
        return told({ keys: found }, keyTable(found, io.columns))
      }
      if (action === 'rewrap') {
        const done = await keys.rewrap()
        const unread = done.unreadable.map(
          ({ tenant, upstream: of }) => `${tenant}: the key for ${of} cannot be read\n`,
        )
        return told(
          done,
          `${done.rewrapped} keys were encrypted anew, ${done.current} were current.\n${unread.join('')}`,
        )
      }
      if (action === 'remove') {
        const removed = await keys.remove(upstream)
        return told(removed, `The key of ${removed.tenant} for ${upstream} is removed.\n`)
      }
      const key = (await readText(from, io)).trim()
      if (key === '') throw invalidInput('key', 'is empty', 'Give it on standard input, or in a file with --from.')
      const made = await keys.set(upstream, key)
      return told(made, `The key of ${made.tenant} for ${upstream} is set: ${shortly(made)}\n`)
    })
  },
})

function requireAction(action: string, upstream: string): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  const isNamed = action === 'set' || action === 'remove'
  if (isNamed && upstream === '') throw invalidInput('UPSTREAM', 'is missing', 'Name one such as openai or anthropic.')
  if (!isNamed && upstream !== '') throw invalidInput('UPSTREAM', `is not for ${action}`, 'Leave it out.')
}

function shortly({ prefix, lastFour }: ListedProviderKey): string {
  return prefix === '' ? '…' : `${prefix}…${lastFour}`
}

function keyTable(keys: readonly ListedProviderKey[], columns?: number): string {
  if (keys.length === 0) return 'There are no keys.\n'
  const rows = keys.map((key) => [key.upstream, key.tenant, shortly(key), momentText(key.setMs), key.state ?? ''])
  return `${fittedTable(['upstream', 'tenant', 'key', 'set', 'state'], rows, { columns, drop: ['set', 'tenant'] })}\n`
}
