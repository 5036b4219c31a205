import type { App } from './app.ts'
import { run } from './app.ts'

/** Imports and requires every entry; each must give the same names either way, and say nothing. */
export function checkEntries({ folder, entries }: App, node: string): string {
  for (const entry of entries) {
    const names = 'Object.keys(room).filter((name) => name !== "__esModule").sort().join()'
    const imported = run(
      node,
      ['--input-type=module', '-e', `const room = await import('${entry}'); console.log(${names})`],
      folder,
    )
    const required = run(
      node,
      ['--input-type=commonjs', '-e', `const room = require('${entry}'); console.log(${names})`],
      folder,
    )
    if (imported.trim() === '') throw new Error(`${entry} exports nothing`)
    if (imported !== required) throw new Error(`${entry} gives other names by require: ${required}`)
  }
  return `${entries.length} entries, by import and by require`
}
