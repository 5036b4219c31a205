import { invalidInput } from '../core/index.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { command } from './command.ts'
import { blobsOption, fileConfig, gatewayFileOptions } from './gateway-file.ts'
import type { GatewayFile } from './gateway-file.ts'
import { askGateway } from './gateway-request.ts'
import type { Io } from './io.ts'
import { localActor, placeOptions } from './keys-place.ts'
import type { PlaceGiven } from './keys-place.ts'
import { printable } from './printable.ts'
import { readText } from './read-text.ts'
import { openStoreThere } from './store-place.ts'
import { settingsIn, withSettings } from './tenant-settings-place.ts'
import { fittedTable } from './text-table.ts'

const actions = ['list', 'delete', 'settings', 'set', 'reset'] as const

export const tenantsCommand = command({
  name: 'tenants',
  about: 'list tenants, change the settings of one while gateways run, and delete all that is kept of one',
  details: [
    'prehend tenants list: the tenants of whom the store keeps something, with how many sessions and receipts.',
    'prehend tenants delete NAME --yes: deletes sessions, receipts, texts, statistics, keys and the audit log of a tenant. It cannot be undone. The audit log of the installation says who asked for it.',
    "With --url every process forgets the tenant at once. On a store itself, give --config or --blobs where the gateway keeps bytes elsewhere, and --extension where extensions keep some; gateways that run on it forget the tenant's keys within 5 seconds, and its sessions with their next request.",
    'Take the tokens of the tenant out of the configuration first: what comes in later is kept again. Exports and backups are yours to delete.',
    'prehend tenants settings NAME: what is stored as settings of a tenant. prehend tenants set NAME FILE stores others, as tenants.NAME of a configuration has them; - reads standard input. prehend tenants reset NAME removes them.',
    'Settings are in force on all gateways that share a Redis at once, and on others within 5 seconds.',
  ],
  positional: {
    name: 'ACTION',
    about: 'list, delete, settings, set or reset; then the NAME of the tenant; of set then a FILE',
    least: 0,
    most: 3,
  },
  options: {
    ...placeOptions,
    ...gatewayFileOptions,
    extension: { ...extensionOptions.extension, about: 'of delete on a store: a module that keeps bytes' },
    blobs: blobsOption,
    revision: {
      type: 'number',
      about: 'of set and reset: fail where another revision stands',
      placeholder: 'N',
      min: 0,
    },
    yes: { type: 'flag', about: 'of delete: do it' },
  },
  examples: [
    'prehend tenants list',
    'prehend tenants set acme acme.json --url http://127.0.0.1:8484 --token OPERATOR_TOKEN',
    'prehend tenants delete acme --yes --url http://127.0.0.1:8484 --token OPERATOR_TOKEN',
  ],
  async run({ options, positionals: [action = 'list', name, file], io }) {
    const { yes = false, json = false, ...given } = options
    requireAction(action, name, file)
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    if (action === 'list') {
      const tenants = await listed(given, io)
      return told({ tenants }, tenantTable(tenants, io.columns))
    }
    const tenant = name ?? ''
    if (action === 'delete') {
      if (!yes) throw invalidInput('--yes', 'is missing', `All that is kept of ${tenant} would go for good. Add --yes`)
      const rows = await deleted(given, io, tenant)
      return told({ tenant, rows }, `All that was kept of ${tenant} is deleted${summary(rows)}.\n`)
    }
    await withSettings(given, io, async (settings) => {
      if (action === 'settings') {
        const shown = await settings.show(tenant)
        return told(shown, `${JSON.stringify(shown.settings, undefined, 2)}\n`)
      }
      const next = action === 'reset' ? undefined : settingsIn(await readText(file ?? '-', io), file ?? '-')
      const shown = await settings.change(tenant, next)
      if (!json) for (const warning of shown.warnings ?? []) io.err(`prehend: ${printable(warning)}\n`)
      const text = next === undefined ? 'are removed' : `are stored, revision ${shown.revision}`
      return told(shown, `The settings of ${tenant} ${text}.\n`)
    })
  },
})

interface TenantSize {
  readonly tenant: string
  readonly sessions: number
  readonly receipts: number
}

type Rows = Readonly<Record<string, number>>

async function listed(given: PlaceGiven, io: Io): Promise<readonly TenantSize[]> {
  const { url, token } = given
  if (url !== undefined) {
    const answer = (await askGateway({ url, token }, { path: '/v1/tenants' })) as {
      readonly data: readonly TenantSize[]
    }
    return answer.data
  }
  const store = await openStoreThere(given, io)
  try {
    return await store.read('names').tenants()
  } finally {
    await store.close()
  }
}

type DeletionGiven = PlaceGiven & GatewayFile & { readonly extension?: readonly string[] }

async function deleted(given: DeletionGiven, io: Io, tenant: string): Promise<Rows> {
  const { url, token } = given
  if (url !== undefined) {
    const asked = { method: 'DELETE', path: `/v1/tenants/${encodeURIComponent(tenant)}` } as const
    return ((await askGateway({ url, token }, asked)) as { readonly rows: Rows }).rows
  }
  const config = await fileConfig(given, io)
  const store = await openStoreThere(given, io)
  try {
    const { deleteTenant, openBlobs, openHot } = await import('../gateway/index.ts')
    const { hot, close } = await openHot(config, {})
    const { blobs } = await openBlobs(config, { store })
    const extensions = await withExtensions(given, async ({ all }) => all.map((one) => one.name))
    const host = { store, blobs, ledgers: hot, extensions, clock: Date.now, forget: async () => undefined }
    try {
      return await deleteTenant(host, tenant, { actor: localActor(io), from: 'local' })
    } finally {
      await close()
    }
  } finally {
    await store.close()
  }
}

function requireAction(action: string, name: string | undefined, file: string | undefined): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  if ((action === 'list') !== (name === undefined))
    throw invalidInput('NAME', action === 'list' ? 'is not for list' : 'is missing', 'See prehend tenants --help.')
  if ((action === 'set') !== (file !== undefined))
    throw invalidInput('FILE', action === 'set' ? 'is missing' : `is not for ${action}`, 'See prehend tenants --help.')
}

function tenantTable(tenants: readonly TenantSize[], columns?: number): string {
  if (tenants.length === 0) return 'There is nothing of any tenant.\n'
  const rows = tenants.map(({ tenant, sessions, receipts }) => [tenant, String(sessions), String(receipts)])
  return `${fittedTable(['tenant', 'sessions', 'receipts'], rows, { columns, drop: [] })}\n`
}

function summary(rows: Rows): string {
  const each = Object.entries(rows).map(([table, count]) => `${count} of ${table}`)
  return each.length === 0 ? ': there was nothing' : `: ${each.join(', ')}`
}
