import { z } from 'zod'
import { PrehendError, hasScope } from '../../../core/index.ts'
import type { PrincipalScope } from '../../../core/index.ts'
import { changeKey, keyNamed, makeKey, revokeKey, rotateKey } from '../../keys/change-keys.ts'
import type { ChangedBy, KeyHost } from '../../keys/change-keys.ts'
import { findKey } from '../../keys/find-key.ts'
import type { KeyName } from '../../keys/find-key.ts'
import { shownKey } from '../../keys/shown-key.ts'
import type { ServingParts } from '../../parts.ts'
import { tenantWarnings } from '../../tenancy/unconfigured-tenant.ts'
import { pageOf, placeOf } from '../cursor.ts'
import { requireLimitableRoutes } from '../limitable-routes.ts'
import type { Answered, Asked } from '../route.ts'
import type { keyQuery, keysQuery, listKeys } from '../routes/key-routes.ts'
import type { key, keyChange, madeKey, newKey, rotatedKey, rotation } from '../schemas/keys.ts'
import { listedTenant, othersOnly, tenantOfKey } from './whose.ts'

type Shown = Answered<z.output<typeof key>>
type KeyParts = Pick<ServingParts, 'config' | 'store' | 'clock' | 'keys'>

export async function answerNewKey(
  parts: KeyParts,
  asked: Pick<Asked<z.ZodObject, typeof newKey>, 'tenant' | 'asker' | 'body'>,
): Promise<Answered<z.output<typeof madeKey>>> {
  requireTokens(parts)
  const { tenant, asker, body } = asked
  const { scopes = [], tenant: named = tenant } = body
  const isOperator = hasScope(asker, 'operator')
  if (named !== tenant && !isOperator) throw othersOnly()
  const ofOperators = ofInstallation.find((scope) => scopes.includes(scope))
  if (ofOperators !== undefined && !isOperator) throw operatorsOnly(ofOperators)
  requireLimitableRoutes(body.allowedRoutes)
  const made = await makeKey(hostOf(parts), { ...body, tenant: named }, byOf(asked))
  const warnings = tenantWarnings(parts.config, named)
  return { ...shownKey(made.key, parts.clock()), secret: made.secret, ...(warnings.length > 0 && { warnings }) }
}

export async function answerKeys(
  parts: KeyParts,
  asked: Asked<typeof keysQuery>,
): Promise<Answered<z.output<NonNullable<(typeof listKeys)['answer']>>>> {
  const { tenant: named, limit, cursor } = asked.query
  const tenant = listedTenant(asked, named)
  const after = placeOf(keyPlace, cursor)
  const query = { ...(tenant !== undefined && { tenant }), limit: limit + 1, ...(after && { after }) }
  const found = await parts.store.read('keys').list(query)
  const { data, next } = pageOf(found, limit, ({ createdMs, id }) => ({ createdMs, id }))
  return { object: 'list', data: data.map((one) => shownKey(one, parts.clock())), next }
}

const keyPlace = z.strictObject({ createdMs: z.number(), id: z.string() })

export async function answerKey(parts: KeyParts, asked: Asked<typeof keyQuery>): Promise<Shown> {
  return shownKey(await keyNamed(parts.store, await nameOf(parts, asked)), parts.clock())
}

export async function answerKeyChange(
  parts: KeyParts,
  asked: Asked<typeof keyQuery, typeof keyChange>,
): Promise<Shown> {
  const name = await changeable(parts, asked)
  requireLimitableRoutes(asked.body.allowedRoutes)
  return shownKey(await changeKey(hostOf(parts), name, asked.body, byOf(asked)), parts.clock())
}

export async function answerRotation(
  parts: KeyParts,
  asked: Asked<typeof keyQuery, typeof rotation>,
): Promise<Answered<z.output<typeof rotatedKey>>> {
  requireTokens(parts)
  const name = await changeable(parts, asked)
  const { key: made, secret, replaced } = await rotateKey(hostOf(parts), name, asked.body, byOf(asked))
  return { ...shownKey(made, parts.clock()), secret, replaced: shownKey(replaced, parts.clock()) }
}

export async function answerRevocation(parts: KeyParts, asked: Asked<typeof keyQuery>): Promise<Shown> {
  return shownKey(await revokeKey(hostOf(parts), await changeable(parts, asked), byOf(asked)), parts.clock())
}

/** The key that is to change. Whoever rotates a key gets its scopes: an operator's key is for operators. A key never changes its scopes. */
async function changeable(parts: KeyParts, asked: Asked<typeof keyQuery>): Promise<KeyName> {
  const name = await nameOf(parts, asked)
  const { scopes } = await keyNamed(parts.store, name)
  if (!ofInstallation.some((scope) => scopes.includes(scope)) || hasScope(asked.asker, 'operator')) return name
  const remedy = 'Use the token of an operator.'
  throw new PrehendError('forbidden', `This key is an operator's. ${remedy}`, { remedy })
}

function hostOf({ store, clock, keys }: KeyParts): KeyHost {
  return { store, clock, changed: (one) => keys.changed(one) }
}

function byOf({ asker: { keyId: actor, from } }: Pick<Asked, 'asker'>): ChangedBy {
  return { actor, from }
}

/** An operator's is looked for in all tenants. */
async function nameOf({ store }: KeyParts, asked: Asked<typeof keyQuery>): Promise<KeyName> {
  const { tenant } = asked.query
  const id = asked.params['id'] ?? ''
  if (hasScope(asked.asker, 'operator')) return findKey(store, { id, tenant })
  return { tenant: tenantOfKey(asked, tenant), id }
}

/** Without tokens everybody is let in, so that a key would protect nothing. */
function requireTokens({ config: { tokens } }: KeyParts): void {
  if (tokens.length > 0) return
  const remedy = 'Start the gateway with a token of its own (--token, or tokens of the configuration).'
  throw new PrehendError(
    'forbidden',
    `This gateway asks nobody for a token, so a key would protect nothing. ${remedy}`,
    {
      remedy,
    },
  )
}

/** Scopes that reach what is of all tenants. */
const ofInstallation: readonly PrincipalScope[] = ['operator', 'metrics']

function operatorsOnly(scope: PrincipalScope): PrehendError<'forbidden'> {
  const remedy = `Leave out ${scope}, or use the token of an operator.`
  return new PrehendError('forbidden', `Only an operator may give the scope ${scope}. ${remedy}`, { remedy })
}
