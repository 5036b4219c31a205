import { expect, it } from 'vitest'
import { kinds } from './model.ts'
import type { Node, Project, Type } from './model.ts'
import { referencePages } from './pages-text.ts'
import { publicNames } from './public-names.ts'
import type { Entry } from './public-names.ts'

const text: Type = { type: 'intrinsic', name: 'string' }
const to = (name: string, target: number): Type => ({ type: 'reference', name, target })
const summary = (sentence: string) => ({ summary: [{ kind: 'text', text: sentence }] })

let id = 0
const node = (name: string, kind: number, more: Partial<Node> = {}): Node => ({
  id: (id += 1),
  name,
  kind,
  flags: {},
  ...more,
})
const property = (name: string, type: Type, sentence?: string): Node =>
  node(name, 1024, { type, ...(sentence !== undefined && { comment: summary(sentence) }) })

const unexported = node('Inner', kinds.interface, { children: [property('deep', text)] })
const options = node('RunOptions', kinds.interface, {
  comment: summary('Options of a run.'),
  children: [property('inner', to('Inner', unexported.id)), property('most', text, 'How many; 3 by default.')],
})
const helper = node('Helper', kinds.interface, { children: [] })
const mode = node('Mode', kinds.typeAlias, { type: { type: 'union', types: [{ type: 'literal', value: 'a' }] } })
const run = node('run', kinds.function, {
  signatures: [
    node('run', 4096, {
      type: text,
      comment: summary('Runs it.'),
      parameters: [node('options', 32_768, { type: to('RunOptions', options.id) })],
    }),
  ],
})
const again = node('run', kinds.reference, { target: run.id })
const module = (name: string, ...children: readonly Node[]): Node => node(name, kinds.module, { children })
const project = {
  ...module(
    'prehend',
    module('src', run, options, helper, mode, module('<internal>', unexported)),
    module('src/entries/stores', again),
  ),
  symbolIdMap: { [run.id]: { packagePath: 'src/tracing/run.ts' } },
} as Project
const entries: readonly Entry[] = [
  { name: 'prehend', source: 'src/index.ts', names: new Set(['run']) },
  { name: 'prehend/stores', source: 'src/entries/stores.ts', names: new Set(['run']) },
]

it('shows the promised names, the types that these use, and lists of texts', () => {
  const names = publicNames(project, entries).map(({ node: { name }, entry, exported }) => [entry.name, name, exported])
  expect(names).toEqual([
    ['prehend', 'run', true],
    ['prehend', 'RunOptions', true],
    ['prehend', 'Mode', true],
    ['prehend', 'Inner', false],
    ['prehend/stores', 'run', true],
  ])
})

it('writes a page for each group of names, with links between them', () => {
  const pages = new Map(referencePages(publicNames(project, entries)).map((page) => [page.slug, page.text]))
  expect([...pages.keys()]).toEqual(['prehend-compile', 'prehend-tracing', 'stores'])
  expect(pages.get('prehend-tracing')).toContain(
    '### run\n\n```ts\nfunction run(options: RunOptions): string\n```\n\nRuns it.\n\nTypes: [`RunOptions`](prehend-compile.md#runoptions)',
  )
  expect(pages.get('prehend-compile')).toContain('| member | type | default | meaning |')
  expect(pages.get('prehend-compile')).toContain('| `inner` | [Inner](#inner) |  |  |')
  expect(pages.get('prehend-compile')).toContain('## Types without an export')
  expect(pages.get('stores')).toContain('[`run`](prehend-tracing.md#run)')
})

it('throws for a module that no entry stands for', () => {
  expect(() => publicNames(project, entries.slice(1))).toThrow('src, which no entry')
})
