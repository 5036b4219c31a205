import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readPolicy } from '../src/compiler/index.ts'
import { parseConfig } from '../src/gateway/index.ts'
import { copyUseCases } from './use-cases.fixture.ts'

const root = resolve(import.meta.dirname, '..')
const { exports: published } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types: string }>>
}
/** Pages that must have examples, on the page itself or on one in the folder of its name. */
const subjects = [
  'README.md',
  'docs/library.md',
  'docs/extensions.md',
  'docs/gateway.md',
  'docs/frameworks.md',
  'docs/policies.md',
  'docs/injection.md',
  'docs/payload.md',
  'docs/governor.md',
  'docs/hygiene.md',
  'docs/media.md',
  'docs/quality.md',
  'docs/history.md',
  'docs/compression.md',
  'docs/bundle-size.md',
  'docs/artifacts.md',
  'docs/tools.md',
]

interface Example {
  readonly name: string
  readonly code: string
}

/** A page, or the docstrings of a source. */
function textOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  if (!file.endsWith('.ts')) return text
  const lines = text.split('\n').filter((line) => /^\s*\*/.test(line))
  return lines.map((line) => line.replace(/^\s*\* ?/, '')).join('\n')
}

/** The programs of a page or a source: its TypeScript blocks that import something of ours. */
function examplesOf(page: string): readonly Example[] {
  const blocks = textOf(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)
  const programs = Array.from(blocks, ([, code = '']) => code).filter((code) => code.includes("from 'prehend"))
  return programs.map((code, index) => ({ name: `${page.replace(/\W+/g, '-')}-${index + 1}`, code }))
}

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith(ending))
    .toSorted()
}

/** A page, and those in the folder of its name. */
function pagesOf(subject: string): readonly string[] {
  return pages.filter((page) => page === subject || page.startsWith(subject.replace(/\.md$/, '/')))
}

/** The JSON blocks of these pages. */
function jsonOf(subject: string): readonly object[] {
  return pagesOf(subject).flatMap((page) =>
    Array.from(
      readFileSync(join(root, page), 'utf8').matchAll(/^```json\n([\s\S]*?)^```$/gm),
      ([, json = '']) => JSON.parse(json) as object,
    ),
  )
}

/** Inside the checkout, where packages are found; what is published under a name is read from its source. */
function written(folder: string, { name, code }: Example): string {
  const file = join(folder, `${name}.ts`)
  const source = code.replace(/from 'prehend(\/[\w/-]+)?'/g, (_, path = '') => {
    const { types } = published[`.${path}`] ?? { types: 'nowhere' }
    return `from '${types.replace(/^\.\/dist/, '../src').replace(/\.d\.ts$/, '.ts')}'`
  })
  writeFileSync(file, source)
  return file
}

const folder = mkdtempSync(join(root, '.doc-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The README, then each page of the documentation. */
const pages = ['README.md', ...filesBelow('docs', '.md')]
const sources = filesBelow('src', '.ts').filter((file) => !file.endsWith('.test.ts'))
const examples = [...pages, ...sources].flatMap(examplesOf)

it('there are some of every subject', () => {
  expect(sources.flatMap(examplesOf).length).toBeGreaterThan(10)
  for (const subject of subjects)
    expect([subject, pagesOf(subject).flatMap(examplesOf).length]).not.toEqual([subject, 0])
})

it.each(examples)('$name runs', (example) => {
  const { status, stderr } = spawnSync(process.execPath, [written(folder, example)], { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

it('all of them compile, and so do the example of an extension and the use cases', () => {
  copyUseCases(folder)
  for (const example of examples) written(folder, example)
  written(folder, { name: 'git-status', code: readFileSync(join(root, 'examples/extension/git-status.ts'), 'utf8') })
  const settings = { extends: join(root, 'tsconfig.json'), include: [`${folder}/*.ts`, `${folder}/*/*.ts`] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: root, encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})

it('the policies and the configurations of docs/policies.md can be read', () => {
  const blocks = jsonOf('docs/policies.md')
  const own = blocks.filter((block) => 'extends' in block)
  for (const policy of own) expect(Object.isFrozen(readPolicy(policy))).toBe(true)
  const configs = blocks.filter((block) => !('extends' in block))
  for (const config of configs) expect(parseConfig(config)).toMatchObject(config)
  expect([own.length, configs.length]).toEqual([6, 2])
})

it('the policy of docs/hygiene.md can be read', () => {
  expect(readPolicy(jsonOf('docs/hygiene.md')[0]).hygiene).toMatchObject({ decay: 'usual', superseded: true })
})

it('the policy of docs/payload.md can be read', () => {
  expect(readPolicy(jsonOf('docs/payload.md')[0]).payload?.last).toEqual(['evidence'])
})
