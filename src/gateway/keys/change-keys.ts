import { PrehendError, invalidInput, isPrehendError } from '../../core/index.ts'
import type { BudgetLimits, PrincipalScope } from '../../core/index.ts'
import { randomText } from '../../host/index.ts'
import { valueHash } from '../../stores/index.ts'
import type { Store, UsedKey, VirtualKey, Write } from '../../stores/index.ts'
import { noSuchKey } from './find-key.ts'
import type { KeyName } from './find-key.ts'
import { keyState } from './key-state.ts'
import { newSecret } from './key-secret.ts'

/** What changes of keys need. */
export interface KeyHost {
  readonly store: Store
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Called once a change is stored, for the keys that authentication may still know as they were. */
  readonly changed: (key: VirtualKey) => Promise<void>
}

/** Who changes a key, for the audit log. */
export interface ChangedBy {
  readonly actor: string
  readonly from: string
}

/** The settings of a virtual key that is made. Without `expiresMs` it never ends. */
export interface NewKey {
  readonly tenant: string
  readonly name: string
  readonly team?: string | undefined
  readonly user?: string | undefined
  readonly scopes?: readonly PrincipalScope[] | undefined
  readonly allowedModels?: readonly string[] | undefined
  readonly allowedRoutes?: readonly string[] | undefined
  readonly budgets?: BudgetLimits | undefined
  readonly expiresMs?: number | undefined
}

/** `null` takes a limit away. */
export interface KeyChange {
  readonly name?: string | undefined
  readonly allowedModels?: readonly string[] | null | undefined
  readonly allowedRoutes?: readonly string[] | null | undefined
  readonly budgets?: BudgetLimits | null | undefined
  readonly expiresMs?: number | null | undefined
}

/** The secret is in no other answer. */
export interface MadeKey {
  readonly key: VirtualKey
  readonly secret: string
}

export interface RotatedKey extends MadeKey {
  readonly replaced: UsedKey
}

/** What keys may do unless it is said. */
export const usualScopes: readonly PrincipalScope[] = ['inference']

/** How long a replaced key may go on. */
export const mostGraceMs = 30 * 86_400_000

/** Makes a key. Rejects with `invalid-input` where it would have expired. */
export async function makeKey(host: KeyHost, asked: NewKey, by: ChangedBy): Promise<MadeKey> {
  const nowMs = host.clock()
  requireFuture(asked.expiresMs, nowMs)
  const { secret, hash, prefix } = newSecret()
  const { tenant, name, scopes = usualScopes, ...limits } = asked
  const own = { id: newId(), tenant, name, hash, prefix, scopes, createdMs: nowMs, revision: 1 }
  const key = { ...own, ...given(limits) } as VirtualKey
  await commit(host, { tenant, nowMs, writes: [{ table: 'keys', key }, audited('key.create', by, undefined, key)] })
  await host.changed(key)
  return { key, secret }
}

/** Rejects with `not-found`, and with `conflict` where the key is revoked. */
export async function changeKey(host: KeyHost, of: KeyName, change: KeyChange, by: ChangedBy): Promise<UsedKey> {
  requireFuture(change.expiresMs, host.clock())
  return changed(host, of, (before) => {
    requireLasting(before)
    const after = next(before, changedBy(before, change))
    return { after, writes: [audited('key.change', by, before, after)] }
  })
}

/** Makes a key in place of another one, which is still good for `graceMs`. Rejects as `changeKey` does. */
export async function rotateKey(
  host: KeyHost,
  of: KeyName,
  { graceMs }: { readonly graceMs: number },
  by: ChangedBy,
): Promise<RotatedKey> {
  const { secret, hash, prefix } = newSecret()
  const id = newId()
  let key: VirtualKey | undefined
  const replaced = await changed(host, of, (before, nowMs) => {
    requireLasting(before)
    if (before.replacedBy !== undefined || keyState(before, nowMs) !== 'active') throw notActive(before)
    const counted = before.budgets && { budgetsOf: before.budgetsOf ?? before.id }
    key = { ...before, ...counted, id, hash, prefix, createdMs: nowMs, revision: 1 }
    const expiresMs = Math.min(before.expiresMs ?? Infinity, nowMs + graceMs)
    const after = next(before, { ...before, replacedBy: id, expiresMs })
    const made = [{ table: 'keys', key }, audited('key.create', by, undefined, key)] as const
    return { after, writes: [audited('key.rotate', by, before, after), ...made] }
  })
  return { key: key as VirtualKey, secret, replaced }
}

/** Ends a key at once. One that is revoked stays as it is. Rejects with `not-found`. */
export async function revokeKey(host: KeyHost, of: KeyName, by: ChangedBy): Promise<UsedKey> {
  return changed(host, of, (before, revokedMs) => {
    if (before.revokedMs !== undefined) return undefined
    const after = next(before, { ...before, revokedMs })
    return { after, writes: [audited('key.revoke', by, before, after)] }
  })
}

/** Rejects with `not-found`. */
export async function keyNamed(store: Store, { tenant, id }: KeyName): Promise<UsedKey> {
  const found = await store.read('keys').get(tenant, id)
  if (found) return found
  throw noSuchKey()
}

interface Changed {
  readonly after: VirtualKey
  readonly writes: readonly Write[]
}

/** Times that a change is decided again because another one was faster. */
const mostTries = 5

async function changed(
  host: KeyHost,
  of: KeyName,
  work: (before: VirtualKey, nowMs: number) => Changed | undefined,
  tries = 1,
): Promise<UsedKey> {
  const { lastUsedMs, ...before } = await keyNamed(host.store, of)
  const used = { ...(lastUsedMs !== undefined && { lastUsedMs }) }
  const nowMs = host.clock()
  const change = work(before, nowMs)
  if (change === undefined) return { ...before, ...used }
  const { after, writes } = change
  try {
    await commit(host, { tenant: of.tenant, nowMs, writes: [{ table: 'keys', key: after }, ...writes] })
  } catch (error) {
    if (!isPrehendError(error) || error.code !== 'conflict' || tries === mostTries) throw error
    return changed(host, of, work, tries + 1)
  }
  await host.changed(after)
  return { ...after, ...used }
}

interface KeyUnit {
  readonly tenant: string
  readonly nowMs: number
  readonly writes: readonly Write[]
}

function commit({ store }: KeyHost, { tenant, nowMs, writes }: KeyUnit): Promise<void> {
  return store.commit({ scope: { tenant, session: '' }, nowMs, writes })
}

function audited(action: string, { actor, from }: ChangedBy, before: VirtualKey | undefined, after: VirtualKey): Write {
  const beforeHash = before && { beforeHash: valueHash(before) }
  const target = action === 'key.create' ? keyTarget(after) : after.id
  return { table: 'audit', actor, action, target, from, ...beforeHash, afterHash: valueHash(after) }
}

/** What a new key may do, so that a reader of the log needs no key: a hash says only that something changed. */
function keyTarget({ id, scopes, allowedModels, allowedRoutes, budgets = {} }: VirtualKey): string {
  const limits = Object.entries(budgets).map(([name, most]) => `${name}=${most}`)
  const models = allowedModels === undefined ? [] : [`models ${allowedModels.join(' ')}`]
  return [
    id,
    `scopes ${scopes.join(' ')}`,
    ...models,
    ...(allowedRoutes === undefined ? [] : [`routes ${allowedRoutes.join(', ')}`]),
    ...(limits.length > 0 ? [`budgets ${limits.join(' ')}`] : []),
  ].join('; ')
}

function next({ revision }: VirtualKey, after: VirtualKey): VirtualKey {
  return { ...after, revision: revision + 1 }
}

function newId(): string {
  return `key_${randomText(12)}`
}

/** The members that say something. */
function given<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

/** A key with what a change says; what it says `null` of goes. */
function changedBy(before: VirtualKey, change: KeyChange): VirtualKey {
  const members = Object.entries({ ...before, ...given(change) })
  return Object.fromEntries(members.filter(([, member]) => member !== null)) as unknown as VirtualKey
}

function requireFuture(expiresMs: number | null | undefined, nowMs: number): void {
  if (expiresMs === undefined || expiresMs === null || expiresMs > nowMs) return
  throw invalidInput('expiresMs', 'is in the past', 'Give a later time; revoke a key that is to end now.')
}

function requireLasting(key: VirtualKey): void {
  if (key.revokedMs === undefined) return
  throw conflict(key, 'is revoked')
}

function notActive(key: VirtualKey): PrehendError {
  return conflict(key, key.replacedBy === undefined ? 'has expired' : `was replaced by ${key.replacedBy}`)
}

function conflict({ id }: VirtualKey, state: string): PrehendError<'conflict'> {
  const remedy = 'Create another key.'
  return new PrehendError('conflict', `The key ${id} ${state}. ${remedy}`, { what: `key ${id}`, remedy })
}
