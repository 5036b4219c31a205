import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './play.ts'
import { runProcess } from './run-process.ts'

const settings = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: { noEmit: true, skipLibCheck: true, typeRoots: [join(root, 'node_modules/@types')] },
  include: ['example.mts'],
}

/** Compiles the example of the docs for a framework where its package is installed: it takes what we give it. */
export async function compileExample(program: string, installed: string): Promise<readonly string[]> {
  const page = readFileSync(join(root, 'docs/frameworks.md'), 'utf8')
  const [, code] = new RegExp(`^\`\`\`ts ${program}\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? []
  if (code === undefined) return [`docs/frameworks.md has no example for ${program}`]
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
  return exit === 0 ? [] : [`the example of docs/frameworks.md does not compile:\n${output}`]
}
