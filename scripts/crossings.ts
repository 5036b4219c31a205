// Writes docs/crossings.md: what a request loses on its way from one dialect to another. usage: node scripts/crossings.ts [--check]
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { codecFor, crossRequest, dialects } from '../src/codecs/index.ts'
import { efforts } from '../src/core/index.ts'
import type { KnownDialect, Loss, ReasoningWish } from '../src/core/index.ts'
import { crossingModels, crossingSamples } from './crossing-samples.ts'

const file = resolve(import.meta.dirname, '../docs/crossings.md')
const names = Object.keys(crossingSamples) as KnownDialect[]

function lostBetween(from: KnownDialect, to: KnownDialect): readonly Loss[] {
  const codec = codecFor(from)
  const { wire, conversation } = codec.decode(crossingSamples[from])
  return crossRequest(codec, codecFor(to), { wire, conversation: { ...conversation, model: crossingModels[to] } }).lost
}

const wishes: readonly ReasoningWish[] = [
  ...efforts.map((effort) => ({ effort })),
  { effort: 'low', tokens: 4000 },
  { effort: 'high', tokens: 31_999 },
]
const thinkers: readonly (readonly [KnownDialect, string])[] = [
  ['openai-chat', 'gpt-5'],
  ['openai-chat', 'gpt-5.1'],
  ['openai-responses', 'gpt-5.6'],
  ['anthropic-messages', 'claude-sonnet-4-5'],
  ['anthropic-messages', 'claude-sonnet-4-6'],
  ['anthropic-messages', 'claude-opus-5'],
  ['gemini', 'gemini-2.5-pro'],
  ['gemini', 'gemini-3.5-flash'],
]

/** What a body says of a wish; `~` where that is not exact. */
function thinkingTold(dialect: KnownDialect, model: string, reasoning: ReasoningWish): string {
  const { conversation } = codecFor('openai-chat').decode({
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'go' }] }),
  })
  const { body, lost } = codecFor(dialect).write({ ...conversation, sampling: { reasoning } })
  const { reasoning_effort: word, reasoning: own, thinking, output_config: output, generationConfig } = JSON.parse(body)
  const { thinkingLevel, thinkingBudget } = generationConfig?.thinkingConfig ?? {}
  const words = [word, own?.effort, output?.effort, thinkingLevel, thinkingBudget, thinking?.budget_tokens]
  const told = words.find((one) => one !== undefined) ?? (thinking?.type === 'disabled' ? 'off' : undefined)
  return `${lost.length > 0 ? '~ ' : ''}${told ?? '-'}`
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
(\`scripts/crossing-samples.ts\`) is written in each of the others, for a model of today; what the other does not say, or not as it was, is named. The same names stand in
\`x-prehend-lost\` and in receipts. Words of users, models and tools, calls, results, definitions of functions and limits are never lost.

| from, to | ${names.join(' | ')} |
| --- | ${names.map(() => '---').join(' | ')} |
${names.map((from) => `| **${from}** | ${names.map((to) => cell(from, to)).join(' | ')} |`).join('\n')}

## How much a model thinks

\`reasoning_effort\`, \`reasoning.effort\`, \`output_config.effort\`, \`thinking\` and \`thinkingConfig\` say one thing in different words. What is asked for is written as the model
takes it; \`~\` is not exact, and named. Words stand for the tokens that Google gives OpenAI's (1,024, 8,192, 24,576; 32,768 above them). Claude up to 4.5 thinks only where a request
has no tools, since between calls it wants its signed thinking back. A model that is not listed by its maker as one that takes such a parameter is not sent it.

| asked for | ${thinkers.map(([, model]) => model).join(' | ')} |
| --- | ${thinkers.map(() => '---').join(' | ')} |
${wishes
  .map((wish) => {
    const cells = thinkers.map(([dialect, model]) => thinkingTold(dialect, model, wish))
    return `| ${wish.tokens === undefined ? wish.effort : `${wish.tokens} tokens`} | ${cells.join(' | ')} |`
  })
  .join('\n')}

## Replies

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
