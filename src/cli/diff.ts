import { comparePacks, isUnchanged } from '../inspect/packs/index.ts'
import { command } from './command.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compilingWith } from './compiling.ts'
import { diffReport } from './diff-report.ts'
import { policyNames, sidesOf } from './diff-side.ts'
import { receiptOptions } from './receipts.ts'

export const diffCommand = command({
  name: 'diff',
  about: 'compare two packs: items, sections, reasons and tokens; exit code 1 where anything changed',
  details: [
    'A and B are request ids or pack ids of receipts, files with receipts or manifests, or what is to be compiled: prehend.compile/1 documents and request bodies. With --trace they are numbers of requests in recorded traffic, packed as a session packs them.',
  ],
  positional: { name: 'PACK', about: 'A and B', least: 2, most: 2 },
  options: {
    ...receiptOptions,
    trace: { type: 'text', about: 'A and B are numbers of requests in this file, from 1', placeholder: 'FILE' },
    policy: {
      type: 'text',
      about: `policy that compiles what is not compiled yet: a file, ${policyNames}`,
      placeholder: 'POLICY',
    },
    budget: {
      type: 'number',
      about: 'tokens of the window of what is compiled',
      placeholder: 'TOKENS',
      min: 1,
    },
    model: { type: 'text', about: 'count compiled packs for this model', placeholder: 'MODEL' },
    layout: {
      type: 'text',
      about: 'of what is compiled: keep the conversation, or write one payload',
      placeholder: 'LAYOUT',
      choices: ['messages', 'payload'],
    },
    ...extensionOptions,
  },
  examples: [
    'prehend diff req_0123 req_0124',
    'prehend diff yesterday.json today.json --budget 8000',
    'prehend diff --trace session.jsonl 3 9 --policy thrifty',
  ],
  async run({ options, positionals, io }) {
    const [before, after] = await withExtensions(options, (extensions) =>
      sidesOf(positionals, { ...options, compiling: compilingWith(extensions) }, io),
    )
    if (before === undefined || after === undefined) return 2
    const comparison = comparePacks(before, after)
    io.out(options.json === true ? `${JSON.stringify(comparison)}\n` : diffReport(comparison, io.columns))
    return isUnchanged(comparison) ? 0 : 1
  },
})
