// Finds sentences that are hard to read in pages, help and the inspector. usage: node scripts/prose.ts [--fix | FILE…]
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { countsOf, faultsOf, findingsIn, lowered, rowOf } from './prose/findings.ts'
import type { Finding, Remaining } from './prose/findings.ts'

const root = resolve(import.meta.dirname, '..')
const table = resolve(import.meta.dirname, 'prose/remaining.json')
const generated = new Set(['cli', 'http', 'requirements', 'crossings', 'clients', 'sdks'].map((name) => `${name}.md`))

function filesBelow(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => ending.test(file) && !/\.(?:test|fixture|child)\.tsx?$/.test(file))
    .toSorted()
}

const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && !generated.has(name))
const files = [
  'README.md',
  'CONTRIBUTING.md',
  ...pages.toSorted().map((name) => `docs/${name}`),
  ...['use-with', 'concepts', 'compare'].flatMap((name) => filesBelow(`docs/${name}`, /\.md$/)),
  ...filesBelow('src', /\.ts$/),
  ...filesBelow('inspector/src', /\.tsx?$/),
]

function print({ file, line, sentence, rule }: Finding): void {
  console.log(`${file}:${line} ${rule.name}: ${sentence}`)
}

function explain(findings: readonly Finding[]): void {
  for (const rule of new Set(findings.map((finding) => finding.rule)))
    console.log(`\n${rule.name}: ${rule.why}\n  before: ${rule.before}\n  after:  ${rule.after}`)
}

const findings = files.flatMap((file) => findingsIn(file, readFileSync(join(root, file), 'utf8')))
const named = process.argv.slice(2)
const isFix = named.includes('--fix')
const remaining = JSON.parse(readFileSync(table, 'utf8')) as Remaining
const allowed = isFix ? lowered(countsOf(findings), remaining) : remaining
if (isFix) writeFileSync(table, `${JSON.stringify(allowed, undefined, 2)}\n`)

if (named.length > 0 && !isFix) {
  const asked = findings.filter(({ file }) => named.some((name) => file.startsWith(name)))
  asked.forEach(print)
  explain(asked)
} else {
  const faults = faultsOf(countsOf(findings), allowed)
  const tooMany = findings.filter(({ file }) => (countsOf(findings)[rowOf(file)] ?? 0) > (allowed[rowOf(file)] ?? 0))
  tooMany.forEach(print)
  explain(tooMany)
  for (const fault of faults) console.error(fault)
  console.log(`${findings.length} sentences left to rewrite, in ${Object.keys(allowed).length} pages and rooms`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
