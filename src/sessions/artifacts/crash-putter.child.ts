// Puts artifacts into the store and the folder of blobs below argv[2] until it is killed; prints each one that was acknowledged. With
// `before-commit` as argv[3] it stops when the bytes are stored and no row names them.
import { join } from 'node:path'
import { folderBlobs, sqliteStore } from '../../stores/index.ts'
import type { Blobs } from '../../stores/index.ts'
import { putArtifact } from './put-artifact.ts'

const [, , folder = '', stop] = process.argv
const store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
const blobs = folderBlobs(join(folder, 'blobs'))
const stopping: Blobs = {
  ...blobs,
  async put(tenant, bytes, options) {
    const ref = await blobs.put(tenant, bytes, options)
    if (stop === 'before-commit') {
      process.stdout.write('stored\n')
      await new Promise((done) => setTimeout(done, 60_000))
    }
    return ref
  },
}

for (let count = 1; ; count += 1) {
  const bytes = new Uint8Array(512 * 1024).fill(count % 251)
  bytes.set(new TextEncoder().encode(`artifact ${count}`))
  const host = { store, blobs: stopping, clock: () => 1000 }
  await putArtifact(host, { tenant: 'acme', uri: `tasks/1/step-1/file-${count % 5}`, bytes })
  process.stdout.write(`${count}\n`)
}
