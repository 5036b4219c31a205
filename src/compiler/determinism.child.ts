// Compiles a fixed set of inputs and prints what came out as one hash. The argument `turned` builds every object with its
// keys in the opposite order. Run by determinism.test.ts under different time zones and locales.
import { argv, stdout } from 'node:process'
import type { CompileInput, Item } from '../core/index.ts'
import { stableJson } from '../core/index.ts'
import { createCompiler } from './create-compiler.ts'
import { careful, costFirst } from './policy/policies.ts'
import { evidence, memory, packInput, sha256, turn, wordTokens, words } from './word-tokens.fixture.ts'

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turned(member)]),
  )
}

const names = ['ä', 'z', 'Z', 'ı', 'I', 'é', 'e\u0301', 'ß', '10', '9', '中', 'a']

const items: readonly Item[] = [
  { id: 'rules', section: 'policy', kind: 'instruction', text: words('rule', 12) },
  ...names.map((name, index) => evidence(name, 20 + index, { scores: { relevance: (index % 4) / 4 } })),
  ...names.map((name, index) =>
    memory(`m${name}`, 10, { provenance: { sourceId: name, retrievedAt: `2026-01-${10 + index}` } }),
  ),
  ...names.map((name) => ({ ...turn(`tool ${name}`, 9), section: 'tools', toolName: name })),
  ...names.map((name) => ({ ...turn(`x${name}`, 6), section: `extra ${name}` })),
  ...names.map((name) => turn(`t${name}`, 15, { kind: 'tool-result' })),
]

const inputs: readonly CompileInput[] = [
  packInput(items, 900, { signals: { risk: 'high', freshnessDays: 3 }, rehydration: true, handleKey: 'k' }),
  packInput(items, 1_500, { markup: 'xml', policy: costFirst }),
  packInput(items, 2_500, { markup: 'canonical', policy: { ...careful, overflow: 'paginate' } }),
  { ...packInput(items, 1_200), layout: 'messages', nowMs: 1_700_000_000_000, rehydration: true },
]

const extras = names.map((name) => ({ section: `extra ${name}` }))
const named = (input: CompileInput): CompileInput => ({ ...input, budget: { ...input.budget, sections: extras } })

const compiler = createCompiler({ tokenizer: wordTokens, hash: sha256 })
const results = inputs
  .map(named)
  .map((input) => compiler.compile(argv[2] === 'turned' ? (turned(input) as CompileInput) : input))
stdout.write(sha256(results.map(({ pack, manifest, ledger }) => stableJson({ pack, manifest, ledger })).join('\n')))
