import { z } from 'zod'
import { auditOrders } from '../../../stores/index.ts'
import { route } from '../route.ts'
import { auditEntry } from '../schemas/audit.ts'
import { key, keyChange, madeKey, newKey, rotatedKey, rotation } from '../schemas/keys.ts'
import { cursor, limit, listOf } from '../schemas/parts.ts'

const tenant = z.string().max(200).optional()
const whose = tenant.describe(
  'Whose key, where an operator asks. Default: for an operator the tenant that has the key, else your own.',
)

export const keyQuery = z.strictObject({ tenant: whose })

const ofAdmins = 'It takes the scope `admin`, and for another tenant `operator`.'

/** Route `POST /v1/keys`: makes a virtual key. The answer has its secret, which is shown once. */
export const createKey = route({
  method: 'post',
  path: '/v1/keys',
  name: 'createKey',
  scope: 'admin',
  about: 'Makes a virtual key. The answer has its secret, which is shown once.',
  more: `${ofAdmins} A gateway without tokens makes no keys: it would let everybody in without one.`,
  body: newKey,
  answer: madeKey,
  status: 201,
  example: '/v1/keys',
})

export const keysQuery = z.strictObject({
  tenant: tenant.describe('Only those of this tenant. Default: for an operator all, else your own.'),
  limit: limit(100),
  cursor,
})

/** Route `GET /v1/keys`: virtual keys, the newest first. */
export const listKeys = route({
  method: 'get',
  path: '/v1/keys',
  name: 'listKeys',
  scope: 'admin',
  about: 'Virtual keys, the newest first, also those that are no longer good.',
  more: ofAdmins,
  query: keysQuery,
  answer: listOf(key),
  example: '/v1/keys?limit=20',
})

/** Route `GET /v1/keys/{id}`: one virtual key. */
export const showKey = route({
  method: 'get',
  path: '/v1/keys/{id}',
  name: 'showKey',
  scope: 'admin',
  about: 'One virtual key.',
  query: keyQuery,
  answer: key,
  example: '/v1/keys/key_0123456789abcdef',
  errors: ['not-found'],
})

/** Route `PATCH /v1/keys/{id}`: changes the name, the models, the routes or the end of a key. */
export const changeOneKey = route({
  method: 'patch',
  path: '/v1/keys/{id}',
  name: 'changeKey',
  scope: 'admin',
  about: 'Changes the name, the models, the routes or the end of a key.',
  more: 'What is not given stays. Scopes and tenant of a key never change.',
  query: keyQuery,
  body: keyChange,
  answer: key,
  example: '/v1/keys/key_0123456789abcdef',
  errors: ['not-found', 'conflict'],
})

/** Route `POST /v1/keys/{id}/rotate`: makes a key with a new secret in place of this one. */
export const rotateOneKey = route({
  method: 'post',
  path: '/v1/keys/{id}/rotate',
  name: 'rotateKey',
  scope: 'admin',
  about: 'Makes a key with a new secret in place of this one, which is still good for `graceMs`.',
  more: 'The new key has an id of its own and everything else of the old one. The answer has its secret, which is shown once.',
  query: keyQuery,
  body: rotation,
  mayBeEmpty: true,
  answer: rotatedKey,
  status: 201,
  example: '/v1/keys/key_0123456789abcdef/rotate',
  errors: ['not-found', 'conflict'],
})

/** Route `DELETE /v1/keys/{id}`: ends a key at once, in every process. */
export const revokeOneKey = route({
  method: 'delete',
  path: '/v1/keys/{id}',
  name: 'revokeKey',
  scope: 'admin',
  about: 'Ends a key at once, in every process. It stays in the list.',
  query: keyQuery,
  answer: key,
  example: '/v1/keys/key_0123456789abcdef',
  errors: ['not-found'],
})

export const auditQuery = z.strictObject({
  tenant: tenant.describe('Only those of this tenant. Default: for an operator all, else your own.'),
  order: z
    .enum(auditOrders)
    .default('newest')
    .describe('`newest`: the newest first. `chain`: tenant by tenant, from the first entry on.'),
  limit: limit(100),
  cursor,
})

/** Route `GET /v1/audit`: the audit log. */
export const listAudit = route({
  method: 'get',
  path: '/v1/audit',
  name: 'listAudit',
  scope: 'admin',
  about: 'The audit log: who changed what, from where and when.',
  more: 'Each entry names the hash of the one before it, so that a changed or removed entry is found: `prehend audit verify` does that. Entries are never changed, and removed only where `retention.auditDays` says so.',
  query: auditQuery,
  answer: listOf(auditEntry),
  example: '/v1/audit?limit=20',
})
