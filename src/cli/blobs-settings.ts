import { dirname, resolve } from 'node:path'
import { isJsonObject } from '../core/index.ts'
import type { Io } from './io.ts'

/** Where blobs are and what requests to them are signed with, as the configuration has it. */
export interface BlobsSettings {
  readonly blobs?: unknown
  readonly s3?: unknown
}

/** Whose values the SDKs of AWS read, too. */
const variables = {
  accessKeyId: 'AWS_ACCESS_KEY_ID',
  secretAccessKey: 'AWS_SECRET_ACCESS_KEY',
  sessionToken: 'AWS_SESSION_TOKEN',
} as const

interface Written {
  /** On the command line, or by its variable. */
  readonly said: string | undefined
  readonly file: Readonly<Record<string, unknown>>
  /** The path of the file; a folder that it names is looked up from there. */
  readonly path: string | undefined
}

/** Keys of the environment are used with an address that has none, where the file has none either. */
export function blobsSettings({ said, file, path }: Written, environment: Io['environment']): BlobsSettings {
  const blobs = said ?? placedFolder(file['blobs'], path)
  if (typeof blobs !== 'string' || !blobs.startsWith('s3://')) return blobs === undefined ? {} : { blobs }
  if (file['s3'] !== undefined && !isJsonObject(file['s3'])) return { blobs }
  const own = file['s3'] ?? {}
  const keys = 'accessKeyId' in own ? {} : variables
  const read = Object.entries({ ...keys, region: 'AWS_REGION' }).flatMap(([name, variable]) => {
    const value = environment[variable] ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  const s3 = { ...Object.fromEntries(read), ...own }
  return { blobs, ...(Object.keys(s3).length > 0 && { s3 }) }
}

function placedFolder(blobs: unknown, path: string | undefined): unknown {
  if (typeof blobs !== 'string' || blobs === '' || blobs.includes('://') || path === undefined) return blobs
  return resolve(dirname(path), blobs)
}
