import { ablate } from '../inspect/packs/index.ts'
import type { Ablation } from '../inspect/packs/index.ts'
import { command } from './command.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compilingWith } from './compiling.ts'
import { compiledTask, taskOptions } from './compiled-task.ts'
import { receiptOptions } from './receipts.ts'
import { fittedTable } from './text-table.ts'

export const ablateCommand = command({
  name: 'ablate',
  about: 'compile a pack without each section, or without single items: tokens freed, items let in',
  details: [
    'PACK is a request id or pack id of a receipt that holds its input, a file with one, a prehend.compile/1 document, or a request body. It is compiled again once for each part.',
  ],
  positional: { name: 'PACK', about: 'a receipt, or what is to be compiled', least: 1, most: 1 },
  options: {
    ...receiptOptions,
    by: {
      type: 'text',
      about: 'part to leave out each time',
      placeholder: 'PART',
      choices: ['section', 'item'],
      fallback: 'section',
    },
    only: { type: 'list', about: 'only this section or item, with its group', placeholder: 'NAME' },
    ...taskOptions,
    ...extensionOptions,
  },
  examples: ['prehend ablate request.json --budget 8000', 'prehend ablate req_0123 --by item --only result:call_7'],
  async run({ options, positionals: [name = '-'], io }) {
    const by = options.by === 'item' ? 'item' : 'section'
    const made = await withExtensions(options, async (extensions) => {
      const { input, compile } = await compiledTask(name, { ...options, compiling: compilingWith(extensions) }, io)
      return ablate(input, { compile, by, ...(options.only && { names: options.only }) })
    })
    io.out(options.json === true ? `${JSON.stringify({ by, ablations: made })}\n` : report(by, made, io.columns))
  },
})

function report(by: string, made: readonly Ablation[], columns?: number): string {
  if (made.length === 0) return 'there is nothing to leave out\n'
  const rows = made.map(({ name, itemIds, outcome, savedTokens, displaced }) => [
    name,
    String(itemIds.length),
    savedTokens === undefined ? 'n/a' : String(savedTokens),
    displaced === undefined ? 'n/a' : String(displaced.length),
    outcome,
  ])
  return `${fittedTable([by, 'items', 'tokens freed', 'let in', 'outcome'], rows, { columns, drop: ['outcome', 'items'] })}\n`
}
