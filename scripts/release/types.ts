import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app.ts'
import { root, run } from './app.ts'

const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, target: 'ES2024' }

/** Where the library may be compiled: on Node, and where nobody knows of one. */
const settings = {
  node: { module: 'nodenext', lib: ['ES2024'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  web: { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2024', 'DOM'], types: [] },
} as const

/** Compiles what imports every entry, with the declarations of the package checked, too. */
export function checkTypes({ folder, entries }: App): string {
  const ofServers = new Set(['prehend/gateway', 'prehend/testing'])
  for (const [name, options] of Object.entries(settings)) {
    const imported = name === 'web' ? entries.filter((entry) => !ofServers.has(entry)) : entries
    const lines = imported.map((entry, index) => `import * as room${index} from '${entry}'\nexport { room${index} }`)
    writeFileSync(join(folder, `types-${name}.ts`), lines.join('\n'))
    const config = join(folder, `tsconfig.${name}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files: [`types-${name}.ts`] }))
    try {
      run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], folder)
    } catch (error) {
      throw new Error((error as { readonly stdout: string }).stdout, { cause: error })
    }
  }
  return `types compile: ${Object.keys(settings).join(', ')}`
}
