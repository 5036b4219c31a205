// Writes docs/crossings.md: what a request loses on its way from one dialect to another. usage: node scripts/crossings.ts [--check]
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { codecFor, crossRequest, dialects } from '../src/codecs/index.ts'
import type { KnownDialect, Loss } from '../src/core/index.ts'
import { crossingSamples } from './crossing-samples.ts'

const file = resolve(import.meta.dirname, '../docs/crossings.md')
const names = Object.keys(crossingSamples) as KnownDialect[]

function lostBetween(from: KnownDialect, to: KnownDialect): readonly Loss[] {
  const codec = codecFor(from)
  return crossRequest(codec, codecFor(to), codec.decode(crossingSamples[from])).lost
}

function cell(from: KnownDialect, to: KnownDialect): string {
  if (from === to) return 'bytes are copied'
  const kinds = [...Map.groupBy(lostBetween(from, to), ({ kind }) => kind)]
  return kinds.map(([kind, lost]) => `${kind} ${lost.length}`).join(', ') || 'nothing'
}

function detail(from: KnownDialect, to: KnownDialect): readonly string[] {
  const byWords = Map.groupBy(lostBetween(from, to), ({ kind, why }) => `${kind}: ${why}`)
  return [...byWords].map(([words, lost]) => `- ${words} (${lost.map(({ what }) => `\`${what}\``).join(', ')})`)
}

const page = `# What is lost from one dialect to another

Written by \`node scripts/crossings.ts\`; do not edit. A request of each dialect that says about everything that the dialect has words for
(\`scripts/crossing-samples.ts\`) is written in each of the others; what the other does not say, or not as it was, is named. The same names stand in
\`x-prehend-lost\` and in receipts. Words of users, models and tools, calls, results, definitions of functions and limits are never lost.

| from, to | ${names.join(' | ')} |
| --- | ${names.map(() => '---').join(' | ')} |
${names.map((from) => `| **${from}** | ${names.map((to) => cell(from, to)).join(' | ')} |`).join('\n')}

Replies lose less: signatures and encrypted reasoning, citations, and blocks that only one provider has, such as its own searches. Their words, reasoning in plain
text, calls, the reason to stop and what was used are told in every dialect.
${names
  .flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const))
  .map(([from, to]) => `\n## ${from} to ${to}\n\n${detail(from, to).join('\n') || 'Nothing.'}`)
  .join('\n')}
`

if (dialects.names.some((name) => !Object.hasOwn(crossingSamples, name))) throw new Error('a dialect has no sample')
if (!process.argv.includes('--check')) writeFileSync(file, page)
else if (readFileSync(file, 'utf8') !== page) {
  console.error('docs/crossings.md is not what the codecs do: node scripts/crossings.ts')
  process.exitCode = 1
}
