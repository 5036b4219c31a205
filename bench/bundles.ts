// Minified bytes of programs that import one thing of the library each. usage: node bench/bundles.ts [--inputs], which lists the largest files
import { join, resolve } from 'node:path'
import { bundleSizes } from '../scripts/release/bundle-sizes.ts'
import { markdownTable } from './markdown-table.ts'

const folder = resolve(import.meta.dirname, '..')
const alias = {
  'prehend/core': join(folder, 'src/entries/core.ts'),
  'prehend': join(folder, 'src/index.ts'),
}
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} KB`

const [node, browser] = await Promise.all([
  bundleSizes({ folder, alias, platform: 'node' }),
  bundleSizes({ folder, alias, platform: 'browser' }),
])
console.log(
  markdownTable(
    node.map(({ name, bytes, gzipBytes, maxBytes }, index) => ({
      'import': name,
      'minified, Node': kilobytes(bytes),
      'gzip': kilobytes(gzipBytes),
      'minified, browser': kilobytes(browser[index]?.bytes ?? 0),
      'limit': kilobytes(maxBytes),
    })),
  ),
)
if (process.argv.includes('--inputs'))
  for (const { name, inputs } of node) {
    console.log(`\n${name}`)
    for (const { path, bytes } of inputs.slice(0, 20)) console.log(`${String(bytes).padStart(8)}  ${path}`)
  }
