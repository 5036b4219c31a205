import type { ShownKey } from '../gateway/index.ts'
import { printable } from './printable.ts'
import { fittedTable } from './text-table.ts'
import { momentText } from './time-text.ts'

export function keyTable(keys: readonly ShownKey[], columns?: number): string {
  if (keys.length === 0) return 'There are no keys.\n'
  const head = ['id', 'name', 'tenant', 'secret', 'state', 'scopes', 'models', 'expires', 'last used']
  const rows = keys.map(({ id, name, tenant, prefix, state, scopes, allowedModels = ['all'], ...of }) => [
    id,
    name,
    tenant,
    `${prefix}…`,
    state,
    scopes.join(' '),
    allowedModels.join(' '),
    momentText(of.expiresMs),
    momentText(of.lastUsedMs),
  ])
  return `${fittedTable(head, rows, { columns, words: head, drop: ['secret', 'last used', 'expires', 'models', 'tenant', 'scopes'] })}\n`
}

/** A key, a member to a line. */
export function keyText(key: ShownKey): string {
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['id', key.id],
    ['name', key.name],
    ['tenant', key.tenant],
    ['team', key.team],
    ['user', key.user],
    ['secret', `${key.prefix}…`],
    ['state', key.state],
    ['scopes', key.scopes.join(' ')],
    ['models', key.allowedModels?.join(' ') ?? 'all of the tenant'],
    ['routes', key.allowedRoutes?.join(', ') ?? 'all of the tenant'],
    [
      'budgets',
      key.budgets &&
        Object.entries(key.budgets)
          .map(([name, most]) => `${name}=${most}`)
          .join(' '),
    ],
    ['created', momentText(key.createdMs)],
    ['expires', key.expiresMs === undefined ? 'never' : momentText(key.expiresMs)],
    ['revoked', key.revokedMs === undefined ? undefined : momentText(key.revokedMs)],
    ['replaced', key.replacedBy === undefined ? undefined : `by ${key.replacedBy}`],
    ['last used', key.lastUsedMs === undefined ? 'never' : momentText(key.lastUsedMs)],
  ]
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([name, value = '']) => `${name.padEnd(11)}${printable(value)}\n`)
    .join('')
}
