import { createHash, hash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { basename } from 'node:path'
import { argv } from 'node:process'
import { careful, createCompiler, thrifty } from '../src/compiler/index.ts'
import type { Policy } from '../src/core/index.ts'
import { countingOf, plainRules, prehend, readTrace, replayTrace } from '../src/inspect/index.ts'
import type { BillingCache, Strategy, Trace } from '../src/inspect/index.ts'

/*
 * A guard, not a measurement: for each recorded session and profile one line with a digest of all that would be sent, so
 * that two versions are compared with `diff`.
 *
 *   npm run -s bench -- digests > before.txt
 *   node bench/pack-digests.ts TRACE.jsonl…
 */

const rules = plainRules()
const counting = countingOf(rules)

interface Seen {
  epochs: number
}

/** The profile as `prehend replay` runs it, telling how many epochs it has begun. */
function strategyOf(policy: Policy, seen: Seen): Strategy {
  const compiler = createCompiler({ tokenizer: rules.tokenizer, hash: (text) => hash('sha256', text) })
  return prehend({
    name: `prehend:${policy.id}`,
    policy,
    prices: rules.prices,
    windowTokens: 1_000_000,
    chargeTool: 'recorded',
    openCompiler: () => ({
      compile(input) {
        const result = compiler.compile(input)
        if (result.manifest.epoch?.decision === 'begin') seen.epochs += 1
        return result
      },
    }),
  })
}

/** In place of a cache: every request passes it as it would be sent. */
function digesting(digest: Hash): BillingCache {
  return {
    bill(sent) {
      let tokens = 0
      for (const { role, text, tokens: own } of sent) {
        digest.update(`${role} ${text.length}\n${text}\n`)
        tokens += own
      }
      digest.update('next request\n')
      return { tokens, cachedTokens: 0, cost: 0 }
    },
  }
}

function lineOf({ needles: _needles, ...trace }: Trace, policy: Policy): string {
  const digest = createHash('sha256')
  const seen: Seen = { epochs: 0 }
  const { requests, tokens } = replayTrace(trace, strategyOf(policy, seen), {
    ...counting,
    outputPrice: rules.outputPrice,
    openCache: () => digesting(digest),
    clock: () => 0,
  })
  return `${trace.id} ${policy.id} ${digest.digest('hex')} ${requests} requests, ${tokens} tokens, ${seen.epochs} epochs`
}

const files = argv.slice(2)
if (files.length === 0) {
  console.error('Usage: node bench/pack-digests.ts TRACE.jsonl…')
  process.exitCode = 2
}
for (const file of files) {
  for await (const trace of readTrace(file)) {
    for (const policy of [careful, thrifty]) console.log(`${basename(file, '.jsonl')} ${lineOf(trace, policy)}`)
  }
}
