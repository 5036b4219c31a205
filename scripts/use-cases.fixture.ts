import { cpSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
export const useCases = join(root, 'examples/use-cases')
export const useCaseNames = readdirSync(useCases, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const sources: Readonly<Record<string, string>> = {
  'prehend': 'src/index.ts',
  'prehend/gateway': 'src/gateway/index.ts',
  'prehend/testing': 'src/testing/index.ts',
}

/** Copies the examples into a folder of the checkout, where packages are found; what is published under a name is read from its source. */
export function copyUseCases(folder: string): void {
  cpSync(useCases, folder, { recursive: true })
  for (const file of globSync(
    useCaseNames.map((name) => `${name}/*.ts`),
    { cwd: folder },
  )) {
    const code = readFileSync(join(folder, file), 'utf8')
    const imported = code.replaceAll(/from '(prehend[^']*)'/g, (_, name: string) => `from '../../${sources[name]}'`)
    writeFileSync(join(folder, file), imported)
  }
}
