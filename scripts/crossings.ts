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

## What is adapted

A body that is written anew follows the rules of the provider that gets it, which [a strict provider](strict-provider.md) checks in tests. [Public reports](reports.md) were tried on it. What that costs is named as a loss.

- **Instructions in the middle of a conversation** keep their place, so that the provider's cache still has what stands before them: a \`system\` message where the model takes one (Claude from Opus 4.8
  on, OpenAI), else words of the user between \`<system>\` and \`</system>\`. Servers of OpenAI's dialects that are not OpenAI get one system message, the first, and no \`developer\`.
- **Ids and names.** Each call has an id of its own in the provider's alphabet and length, the same in every turn. A tool's name that the provider does not take is shortened and ends in its
  fingerprint; tools of a namespace (\`mcp__docs\`, \`search\`) are \`mcp__docs__search\`. Calls in replies come back under the client's own names, with ids that its dialect takes and that no other
  call of the conversation has.
- **Schemas** of functions are objects with properties at the top; \`anyOf\`, \`oneOf\` and \`allOf\` there are folded into the properties.
  For Gemini, definitions stand where \`$ref\` names them, since Google refuses a title and the like beside a reference; only a definition that holds itself is still referred to.
- **Descriptions of functions** have 1,024 characters at most for the OpenAI models before GPT-4.1, o1 and o3-mini, which are reported to refuse longer ones. Later models take them as they are.
- **Blocks of Anthropic's in a Chat body** (\`tool_use\`, \`tool_result\`) are calls and results for every other dialect; for a server of the same dialect they stay as they came.
- **Reasoning has an owner.** It goes back to the model that wrote it and to nobody else, stand-ins of the same dialect included. What other models reason is given to clients with
  \`prehend:MODEL\` in the place of the signature or of the sealed text. DeepSeek and others that want it back get it as \`reasoning_content\`; Claude is never sent thinking that it has not signed, and
  a turn that would have to begin with it goes on without thinking.
- **Compaction.** A \`compaction\` block of Claude's is words of the user elsewhere. What OpenAI has sealed, \`compaction_trigger\` and \`/v1/responses/compact\` are refused with 400 for another
  provider's model; for OpenAI they are packed as the turn before them. Results of a provider's own tools are words elsewhere.
- **Documents and images.** Documents of text, CSV and SVG are text. What a result shows stands in a message of the user behind it where results hold text only.
- **Limits and sampling.** \`max_completion_tokens\` for OpenAI, \`max_tokens\` for other servers; for Claude, where the client says no limit, as much as the model can write. Temperatures, \`top_p\` and \`stop\` that
  a model refuses are left out.
- **Beginnings and ends.** Where the user has to begin and does not, \`Begin.\` does. White space behind a prefill goes; a model that takes none is asked to go on. Halves of characters are U+FFFD.

## Replies

Replies lose less: signatures and encrypted reasoning, citations, and blocks that only one provider has, such as its own searches. Their words, reasoning in plain
text, calls, the reason to stop and what was used are reported in every dialect. A new id begins a new call, whatever its index; arguments may be objects, and are \`{}\` where none come. An error has the
status and the name by which clients of the dialect try again: inside a 200, midway, and where Gemini gives up a call.
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
