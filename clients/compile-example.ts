import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './play.ts'
import { runProcess } from './run-process.ts'

const settings = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: { noEmit: true, skipLibCheck: true, typeRoots: [join(root, 'node_modules/@types')] },
  include: ['example.mts'],
}

/** Compiles the example of the docs for an integration where its framework is installed: that takes what we give it. */
export async function compileExample(integration: string, installed: string): Promise<readonly string[]> {
  const pages = globSync('docs/frameworks{.md,/*.md}', { cwd: root }).toSorted()
  const page = pages.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const examples = page.matchAll(/^```ts(?<elsewhere> .*)?\n(?<code>[^]*?)^```$/gm)
  const example = examples.find(({ groups }) => groups?.['code']?.includes(`'prehend/${integration}'`))
  if (example === undefined) return [`docs/frameworks has no example for ${integration}`]
  const { elsewhere, code = '' } = example.groups ?? {}
  // Where the framework is a package of ours, the tests compile the page.
  if (elsewhere === undefined) return []
  const source = code.replaceAll(
    /'prehend\/([\w-]+)'/g,
    (_, name: string) => `'${join(relative(installed, root), 'src/integrations', name, 'index.ts')}'`,
  )
  writeFileSync(join(installed, 'example.mts'), source)
  writeFileSync(join(installed, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { code: exit, output } = await runProcess(process.execPath, [compiler, '-p', '.'], {
    cwd: installed,
    timeoutMs: 120_000,
  })
  return exit === 0 ? [] : [`the example of docs/frameworks does not compile:\n${output}`]
}
