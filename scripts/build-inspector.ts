// Builds the inspector's page where its sources have changed since. usage: node scripts/build-inspector.ts [OUT_DIR]
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')
const inspector = join(root, 'inspector')

/** Builds into `outDir`, always. */
export async function buildInspector(outDir: string): Promise<void> {
  await build({ root: inspector, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
}

/** The page as a checkout serves it: built again only where a source, or what it is built with, is another. */
export async function keepInspectorBuilt(): Promise<void> {
  const outDir = join(inspector, 'dist')
  const stamp = join(outDir, '.built-from')
  const sources = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  await buildInspector(outDir)
  writeFileSync(stamp, sources)
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = readdirSync(inspector, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(inspector, 'dist')))
    .toSorted()
  for (const path of [...files, join(root, 'package-lock.json')]) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

if (import.meta.main) {
  const given = process.argv[2]
  await (given === undefined ? keepInspectorBuilt() : buildInspector(resolve(given)))
}
