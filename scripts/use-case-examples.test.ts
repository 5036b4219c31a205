import { spawn, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const cases = join(root, 'examples/use-cases')
const names = readdirSync(cases, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const entries: Readonly<Record<string, string>> = {
  'prehend': 'src/index.ts',
  'prehend/gateway': 'src/gateway/index.ts',
  'prehend/testing': 'src/testing/index.ts',
}

/** Inside the checkout, where packages are found; what is published under a name is read from its source. */
const folder = mkdtempSync(join(root, '.doc-examples-'))
beforeAll(() => {
  cpSync(cases, folder, { recursive: true })
  for (const file of globSync('*/*.ts', { cwd: folder })) {
    const code = readFileSync(join(folder, file), 'utf8')
    const imported = code.replaceAll(/from '(prehend[^']*)'/g, (_, name: string) => `from '../../${entries[name]}'`)
    writeFileSync(join(folder, file), imported)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(file: string): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [file], { cwd: root })
    let [printed, complained] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (complained += chunk.toString()))
    child.on('error', failed)
    child.on('close', (code) => (code === 0 ? done(printed) : failed(new Error(`${code}: ${complained}`))))
  })
}

it('there are six of them, and the list names each', () => {
  expect(names).toHaveLength(6)
  const list = readFileSync(join(cases, 'README.md'), 'utf8')
  for (const name of names) expect(list).toContain(`(${name}/README.md)`)
})

it.each(names)('%s prints what its README says', async (name) => {
  const page = readFileSync(join(cases, name, 'README.md'), 'utf8')
  const [, prints] = /^```text\n([\s\S]*?)^```$/m.exec(page) ?? []
  expect(await run(join(folder, name, 'main.ts'))).toBe(prints)
})

it('all of them compile', () => {
  const settings = { extends: join(root, 'tsconfig.json'), include: [`${folder}/*/*.ts`] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: root, encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})
