import { expect, it } from 'vitest'
import { countsOf, faultsOf, findingsIn, lowered } from './findings.ts'

const found = (file: string, content: string): readonly string[] =>
  findingsIn(file, content).map(({ line, rule, sentence }) => `${line} ${rule.name}: ${sentence}`)

const long = `It ${'goes on and '.repeat(14)}ends.`

it.each([
  ['Nobody can read it.', 'person'],
  ['The router is told the session.', 'told'],
  ['A parameter that there is not is an error.', 'there-is'],
  ['A tenant uses what is its own.', 'its-own'],
  ['The body goes on as it came.', 'as-it-came'],
  [long, 'long'],
])('%s', (sentence, rule) => {
  expect(found('page.md', `# Page\n\nA first one. ${sentence}\n`)).toEqual([`3 ${rule}: ${sentence}`])
})

it('names the line on which a sentence of a paragraph begins', () => {
  expect(found('page.md', 'One line.\nA second one. And\nwhoever reads on\nis here.\n')).toEqual([
    '2 person: And whoever reads on is here.',
  ])
})

it('leaves out headings, code and the addresses of links', () => {
  const page = '# What nobody reads\n\n```ts\n// nobody\n```\n\n`nobody` and [this](#what-nobody-reads).\n'
  expect(found('page.md', page)).toEqual([])
})

it('reads items of lists and cells of tables each by itself', () => {
  const half = `${'word '.repeat(30)}\n`
  expect(found('page.md', `- ${half}- ${half}\n| ${half.trim()} | ${half.trim()} |\n`)).toEqual([])
  expect(found('page.md', '| a | nobody |\n| --- | --- |\n')).toEqual(['1 person: nobody'])
})

it('begins a sentence at inline code, too', () => {
  expect(found('page.md', 'One ends. `two` is told.\n')).toEqual(['1 told: `two` is told.'])
  expect(found('page.md', 'Two sessions are told apart.\n')).toEqual([])
})

it('does not count inline code as words', () => {
  expect(found('page.md', `One of ${'`name`, '.repeat(50)} each.\n`)).toEqual([])
})

it('reads descriptions and help in source, joined strings as one', () => {
  const source = [
    'const a = { about: "Nobody is here.", other: "Nobody there." }',
    'const b = z.string().describe(',
    "  'Long ' +",
    "    'as it came.',",
    ')',
    "const c = { details: ['One.', 'Whoever asks.'] }",
    '// nobody',
  ].join('\n')
  expect(found('src/a.ts', source)).toEqual([
    '1 person: Nobody is here.',
    '3 as-it-came: Long as it came.',
    '6 person: Whoever asks.',
  ])
})

it('reads text between tags, not code between them', () => {
  const page = 'const a = (b: Set<string>) => nobody\nreturn <p class="nobody">\n  As it came {nobody}\n</p>\n'
  expect(found('inspector/src/a.tsx', page)).toEqual(['3 as-it-came: As it came'])
})

it('fails on more findings than allowed, and on fewer', () => {
  const counts = countsOf([
    ...findingsIn('docs/a.md', 'Nobody. Nobody.\n'),
    ...findingsIn('src/cli/x/b.ts', "about: 'nobody'"),
  ])
  expect(counts).toEqual({ 'docs/a.md': 2, 'src/cli': 1 })
  expect(faultsOf(counts, counts)).toEqual([])
  expect(faultsOf(counts, { 'docs/a.md': 1, 'src/cli': 1 })).toEqual([
    'docs/a.md: 2 findings, 1 allowed. Rewrite the sentences.',
  ])
  expect(faultsOf(counts, { 'docs/a.md': 3, 'src/cli': 1 })).toEqual([
    'docs/a.md: 2 findings, 3 allowed. Lower the number: npm run check:prose -- --fix',
  ])
  expect(lowered(counts, { 'docs/a.md': 1, 'docs/gone.md': 4, 'src/cli': 5 })).toEqual({ 'docs/a.md': 1, 'src/cli': 1 })
})
