import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PrehendError } from '../core/index.ts'
import { folderBlobs, memoryBlobs, probeBlobs, readS3Address } from '../stores/index.ts'
import type { Blobs, Store } from '../stores/index.ts'
import type { GatewayConfig } from './config.ts'

/** Where blobs are, as every thread can open them for itself. */
export type BlobsPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'bucket'; readonly url: string; readonly credentials: Credentials }

type Credentials = NonNullable<GatewayConfig['s3']>

/** The blobs of a gateway. */
export interface OpenedBlobs {
  readonly blobs: Blobs
  /** Undefined where no other thread can open them. */
  readonly place: BlobsPlace | undefined
}

type BlobsConfig = Pick<GatewayConfig, 'blobs' | 's3'>

/**
 * Those of the host; those of the configuration, which are written to, read and dropped once; the folder `blobs` beside the file of the store; or
 * those of this process where the store has no file. Rejects with `store-failed` where the configured place does not do all three.
 */
export async function openBlobs(
  config: BlobsConfig,
  { blobs, store }: { readonly blobs?: Blobs | undefined; readonly store: Pick<Store, 'file'> },
): Promise<OpenedBlobs> {
  if (blobs) return { blobs, place: undefined }
  const configured = config.blobs === undefined ? undefined : await tryBlobs(config.blobs, config.s3)
  const place = configured?.place ?? placeBeside(store)
  return { blobs: place === undefined ? memoryBlobs() : await blobsAt(place), place }
}

/** Opens blobs on whatever thread. */
export async function blobsAt(place: BlobsPlace): Promise<Blobs> {
  if (place.kind === 'folder') return folderBlobs(place.folder)
  const { s3Blobs } = await import('../stores/remote/index.ts')
  const { url, credentials } = place
  return s3Blobs({ url, ...credentials })
}

/** A configured place that was tried. */
export interface TriedBlobs {
  readonly place: BlobsPlace
  /** What has answered, for people. */
  readonly shown: string
}

/** Writes, reads and drops a blob in the configured place, and leaves nothing behind. */
export async function tryBlobs(blobs: string, s3: Credentials = {}): Promise<TriedBlobs> {
  if (!isAddress(blobs)) {
    const folder = resolve(blobs)
    await tryFolder(folder)
    return { place: { kind: 'folder', folder }, shown: `the folder ${folder}` }
  }
  const place = { kind: 'bucket', url: blobs, credentials: s3 } as const
  await probeBlobs(await blobsAt(place))
  const address = readS3Address(blobs)
  return { place, shown: `S3 at ${'problem' in address ? 'an unknown place' : address.shown}` }
}

/** Anything else is a folder. */
function isAddress(blobs: string): boolean {
  return blobs.includes('://')
}

function placeBeside({ file }: Pick<Store, 'file'>): BlobsPlace | undefined {
  return file === undefined ? undefined : { kind: 'folder', folder: join(dirname(resolve(file)), 'blobs') }
}

/** In a folder of its own, which goes again; where the folder is not there yet, in the next one above that is. */
async function tryFolder(folder: string): Promise<void> {
  let there = folder
  while (!existsSync(there)) there = dirname(there)
  let own: string | undefined
  try {
    own = mkdtempSync(join(there, '.prehend-probe-'))
    await probeBlobs(folderBlobs(own))
  } catch (error) {
    throw folderError(folder, error)
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true })
  }
}

function folderError(folder: string, cause: unknown): PrehendError<'store-failed'> {
  const reason = cause instanceof Error ? cause.message.replace(/\.+$/, '') : String(cause)
  const remedy = 'Name a folder that can be written, or an address such as s3://HOST/BUCKET.'
  return new PrehendError(
    'store-failed',
    `The folder of blobs ${folder} cannot be used: ${reason}. ${remedy}`,
    { remedy },
    cause,
  )
}
