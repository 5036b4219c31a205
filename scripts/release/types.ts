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

/** Their types are those of packages that whoever uses them has installed, and nobody else. */
const ofFrameworks = new Set(['prehend/adk', 'prehend/ai-sdk', 'prehend/langchain', 'prehend/openai-agents'])

/** Compiles what imports every entry, with the declarations of the package checked, too. */
export function checkTypes({ folder, entries }: App): string {
  const ofServers = new Set(['prehend/extension', 'prehend/gateway', 'prehend/testing'])
  const ours = entries.filter((entry) => !ofFrameworks.has(entry))
  for (const [name, options] of Object.entries(settings)) {
    const imported = name === 'web' ? ours.filter((entry) => !ofServers.has(entry)) : ours
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
