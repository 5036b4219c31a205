import { s3Error } from './s3-errors.ts'
import { askS3 } from './s3-requests.ts'
import type { S3Connection } from './s3-requests.ts'

/** Keys named in one answer, and dropped at once. */
const keysAtOnce = 100

/** Drops all objects whose keys begin so, a page of them after the other until there are none. */
export async function dropBelow(connection: S3Connection, prefix: string): Promise<void> {
  for (;;) {
    const keys = await keysBelow(connection, prefix)
    await Promise.all(keys.map((key) => dropKey(connection, key)))
    if (keys.length < keysAtOnce) return
  }
}

async function keysBelow(connection: S3Connection, prefix: string): Promise<readonly string[]> {
  const { bytes } = await askS3(connection, {
    doing: 'read',
    method: 'GET',
    key: '',
    query: `list-type=2&max-keys=${keysAtOnce}&prefix=${encodeURIComponent(prefix)}`,
    accepts: ({ status }) => status === 200,
  })
  const told = new TextDecoder().decode(bytes)
  const { shown } = connection
  const remedy = 'Check that the server can list objects (ListObjectsV2), and that the credentials may.'
  if (!told.includes('<ListBucketResult'))
    throw s3Error({ doing: 'read', shown, reason: 'the answer is no list', remedy })
  const keys = [...told.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => plain(key))
  const [foreign] = keys.filter((key) => !key.startsWith(prefix))
  if (foreign !== undefined) throw s3Error({ doing: 'read', shown, reason: 'the list names other keys', remedy })
  return keys
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** A text of an XML document as it is. */
function plain(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => named[name] ?? '')
}

async function dropKey(connection: S3Connection, key: string): Promise<void> {
  await askS3(connection, {
    doing: 'drop',
    method: 'DELETE',
    key,
    accepts: ({ status, code }) => (status >= 200 && status < 300) || (status === 404 && code === 'NoSuchKey'),
  })
}
