import { diagnose } from '../inspect/packs/index.ts'
import type { Diagnosis, Finding } from '../inspect/packs/index.ts'
import { command } from './command.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compilingWith } from './compiling.ts'
import { compiledTask, taskOptions } from './compiled-task.ts'
import { receiptOptions } from './receipts.ts'
import { hanging } from './wrap-text.ts'

export const diagnoseCommand = command({
  name: 'diagnose',
  about:
    'find faults in what a model was shown: missing, poisoned, buried, conflicting, or too much; exit code 1 where there are any',
  details: [
    'PACK is a request id or pack id of a receipt that holds its input, a file with one, a prehend.compile/1 document, or a request body. It is packed again, to the same bytes, with everything measured.',
    'By words, without a model: hints with their places, the gravest first, and no proof. Say with --need what the right answer needs; the names in a short request are looked for in any case.',
  ],
  positional: { name: 'PACK', about: 'a receipt, or what is to be compiled', least: 1, most: 1 },
  options: {
    ...receiptOptions,
    need: {
      type: 'list',
      about: 'a text that the right answer needs, such as a name or a figure',
      placeholder: 'TEXT',
    },
    ...taskOptions,
    ...extensionOptions,
  },
  examples: ['prehend diagnose req_0123 --need retry_ceiling_ms', 'prehend diagnose request.json --budget 8000 --json'],
  async run({ options, positionals: [name = '-'], io }) {
    const found = await withExtensions(options, async (extensions) => {
      const { input, compile } = await compiledTask(name, { ...options, compiling: compilingWith(extensions) }, io)
      return diagnose(input, { compile, ...(options.need && { needed: options.need }) })
    })
    io.out(options.json === true ? `${JSON.stringify(found)}\n` : diagnosisText(found, io.columns))
    return found.findings.length === 0 ? 0 : 1
  },
})

function diagnosisText({ cause, findings, packTokens }: Diagnosis, columns?: number): string {
  const head = `${packTokens} tokens; ${cause === undefined ? 'nothing was found' : `most likely: ${cause}`}`
  return `${[head, ...findings.map((finding) => findingText(finding, columns))].join('\n\n')}\n`
}

function findingText({ cause, weight, why, texts, remedy }: Finding, columns?: number): string {
  const lines = [
    `${cause.padEnd(12)}${weight.toFixed(2)}  ${why}`,
    ...texts.map(({ at, line, text, handle }) => {
      const where = `${at}${line === undefined ? '' : `:${line}`}${handle === undefined ? '' : `, handle ${handle}`}`
      return `  at          ${where}: ${text}`
    }),
    `  do          ${remedy}`,
  ]
  return lines.map((line) => hanging(line, columns)).join('\n')
}
