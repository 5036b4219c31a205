import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { invalidInput } from '../../core/index.ts'

/** The built page, by path below its own address; read once. */
export type InspectorPage = ReadonlyMap<string, PageFile>

interface PageFile {
  readonly type: string
  readonly bytes: Buffer<ArrayBuffer>
  readonly gzip: Buffer<ArrayBuffer>
}

/** Reads the folder of a built page. Rejects with `invalid-input` where there is none. */
export async function readInspectorPage(folder: string): Promise<InspectorPage> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map<string, PageFile>()
  for (const entry of entries) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    files.set(path.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''), {
      type,
      bytes,
      gzip: gzipSync(bytes, { level: 9 }),
    })
  }
  if (files.has(indexFile)) return files
  throw invalidInput(
    'inspector',
    `is a folder without ${indexFile}`,
    'Give the folder of the built page, or leave it out.',
  )
}

export const indexFile = 'index.html'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
