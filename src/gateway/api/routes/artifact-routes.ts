import { z } from 'zod'
import { artifactClasses } from '../../../stores/index.ts'
import { route } from '../route.ts'
import { artifact, hold } from '../schemas/artifacts.ts'
import { count, cursor, limit, listOf, name } from '../schemas/parts.ts'

const path = '/v1/artifacts/tasks/{task}/{step}/{name}'
const example = '/v1/artifacts/tasks/42/step-1/report.md'
const version = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional()
const names =
  '`step` is `step-` and the number or id of the step. Task, step and name have 1 to 128 letters, digits, and `. _ -` each, but no `..`.'

export const putQuery = z.strictObject({
  class: z.enum(artifactClasses).optional().describe('Which retention window it gets. Default: `evidence`.'),
  session: name.optional().describe('The session that it comes from.'),
  request: name.optional().describe('The id of the request that it comes from.'),
})

export const putOneArtifact = route({
  method: 'put',
  path,
  name: 'putArtifact',
  about: 'Stores the body as the next version of an artifact.',
  more: `${names} The body has 64 MiB at most, and \`content-type\` is stored with it. With \`if-none-match: *\` a path that has a version already is an error (412).`,
  query: putQuery,
  takesBytes: true,
  answer: artifact,
  status: 201,
  example,
  errors: ['body-too-large', 'precondition-failed'],
})

export const versionQuery = z.strictObject({
  version: version.describe('Default: the newest.'),
})

const asStored =
  'With its media type, its SHA-256 as `etag`, and `range`, `if-range` and `if-none-match` as HTTP has them. HEAD answers the same without the body. What a browser could run comes as an attachment.'

export const showArtifact = route({
  method: 'get',
  path,
  name: 'getArtifact',
  about: 'The bytes of an artifact.',
  more: asStored,
  query: versionQuery,
  media: 'application/octet-stream',
  example: `${example}?version=2`,
  errors: ['not-found'],
})

export const showArtifactByHash = route({
  method: 'get',
  path: '/v1/artifacts/sha256/{hash}',
  name: 'getArtifactByHash',
  about: 'The bytes that have this SHA-256, where the tenant has an artifact of them.',
  more: asStored,
  media: 'application/octet-stream',
  example: '/v1/artifacts/sha256/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  errors: ['not-found'],
})

export const dropQuery = z.strictObject({
  version: version.describe('Only this version. Default: all versions of the path.'),
})

export const dropOneArtifact = route({
  method: 'delete',
  path,
  name: 'deleteArtifact',
  about: 'Removes an artifact. Its bytes go within the hours that follow, unless another artifact has the same.',
  more: 'An artifact on hold is a conflict, and stays.',
  query: dropQuery,
  answer: z.strictObject({ uri: z.string(), versions: count.describe('How many were removed.') }),
  example,
  errors: ['not-found', 'conflict'],
})

export const holdOneArtifact = route({
  method: 'post',
  path: `${path}/hold`,
  name: 'holdArtifact',
  scope: 'admin',
  about: 'Sets or lifts the legal hold of an artifact: one on hold is not removed, and does not expire.',
  body: hold,
  answer: z.strictObject({ uri: z.string(), versions: count.describe('How many it concerns.'), hold: z.boolean() }),
  example: `${example}/hold`,
  errors: ['not-found'],
})

export const artifactsQuery = z.strictObject({
  list: z.string().max(512).default('').describe('What the paths begin with, such as `tasks/42/`. Default: all.'),
  versions: z.stringbool().default(false).describe('`true`: all versions of each. Default: the newest alone.'),
  limit: limit(100),
  cursor,
})

export const listAllArtifacts = route({
  method: 'get',
  path: '/v1/artifacts',
  name: 'listArtifacts',
  about: 'Artifacts by path, without their bytes.',
  query: artifactsQuery,
  answer: listOf(artifact),
  example: '/v1/artifacts?list=tasks/42/&limit=20',
})
