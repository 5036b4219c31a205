import { dirname, join, resolve } from 'node:path'
import { invalidInput } from '../core/index.ts'
import { folderBlobs } from '../stores/index.ts'
import { command } from './command.ts'
import { askGateway } from './gateway-request.ts'
import type { Io } from './io.ts'
import { localActor, placeOptions } from './keys-place.ts'
import type { PlaceGiven } from './keys-place.ts'
import { blobsFolder, openStoreThere, storePlace } from './store-place.ts'
import { fittedTable } from './text-table.ts'

const actions = ['list', 'delete'] as const

export const tenantsCommand = command({
  name: 'tenants',
  about: 'list tenants with what is kept of them, and delete all that is kept of one',
  details: [
    'prehend tenants list: the tenants of whom the store keeps something, with how many sessions and receipts.',
    'prehend tenants delete NAME --yes: deletes sessions, receipts, texts, statistics, keys and the audit log of a tenant. It cannot be undone. The audit log of the installation says who asked for it.',
    "With --url the gateway deletes its blobs, too, and every process forgets the tenant at once. On a store itself, only the blobs that lie in its own folder go; gateways that run on it forget the tenant's keys within 5 seconds, and its sessions with their next request.",
    'Take the tokens of the tenant out of the configuration first: what comes in later is kept again. Exports and backups are yours to delete.',
  ],
  positional: { name: 'ACTION', about: 'list or delete; then the NAME of the tenant', least: 0, most: 2 },
  options: { ...placeOptions, yes: { type: 'flag', about: 'of delete: do it' } },
  examples: [
    'prehend tenants list',
    'prehend tenants delete acme --yes --url http://127.0.0.1:8484 --token OPERATOR_TOKEN',
  ],
  async run({ options, positionals: [action = 'list', name], io }) {
    const { yes = false, json = false, ...given } = options
    requireAction(action, name)
    if (action === 'list') {
      const tenants = await listed(given, io)
      io.out(json ? `${JSON.stringify({ tenants })}\n` : tenantTable(tenants, io.columns))
      return
    }
    const tenant = name ?? ''
    if (!yes) throw invalidInput('--yes', 'is missing', `All that is kept of ${tenant} would go for good. Add --yes`)
    const rows = await deleted(given, io, tenant)
    if (json) io.out(`${JSON.stringify({ tenant, rows })}\n`)
    else io.out(`All that was kept of ${tenant} is deleted${summary(rows)}.\n`)
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

async function deleted(given: PlaceGiven, io: Io, tenant: string): Promise<Rows> {
  const { url, token } = given
  if (url !== undefined) {
    const asked = { method: 'DELETE', path: `/v1/tenants/${encodeURIComponent(tenant)}` } as const
    return ((await askGateway({ url, token }, asked)) as { readonly rows: Rows }).rows
  }
  const store = await openStoreThere(given, io)
  try {
    const { deleteTenant } = await import('../gateway/index.ts')
    const place = storePlace(given, io.environment)
    const folder =
      place.kind === 'file' ? join(dirname(resolve(place.path)), 'blobs') : blobsFolder(given, io.environment)
    const host = {
      store,
      blobs: folderBlobs(folder ?? 'blobs'),
      extensions: [],
      clock: Date.now,
      forget: async () => undefined,
    }
    return await deleteTenant(host, tenant, { actor: localActor(io), from: 'local' })
  } finally {
    await store.close()
  }
}

function requireAction(action: string, name: string | undefined): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  if ((action === 'delete') === (name === undefined))
    throw invalidInput('NAME', action === 'delete' ? 'is missing' : 'is for delete only', 'See prehend tenants --help.')
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
