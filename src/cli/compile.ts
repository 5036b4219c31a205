import { errorPlaces } from '../core/index.ts'
import { serializePack } from '../compiler/index.ts'
import { policyNames } from './diff-side.ts'
import { dialectsOf, encodeRequest } from '../sessions/index.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compileKept } from './compile-kept.ts'
import { storeOptions } from './store-place.ts'
import { command } from './command.ts'
import { compileReport } from './compile-report.ts'
import { dialects } from '../codecs/index.ts'
import { compileTask } from './compile-input.ts'
import { settingsOption } from './policy-settings.ts'
import { readText } from './read-text.ts'
import { variablesOf } from './variables.ts'
import { writeText } from './write-text.ts'
import type { CompileResult } from '../core/index.ts'
import type { CompileTask } from './compile-input.ts'

export const compileCommand = command({
  name: 'compile',
  about:
    'compile a prehend.compile/1 document, a request body of any dialect, or a request of recorded traffic, and explain the result',
  details: [
    'A single request has no session behind it, so a body is changed only as far as its window asks for it; give a small --budget to see that. What is then shown shorter is kept, and prehend rehydrate brings it back.',
  ],
  positional: {
    name: 'FILE',
    about: 'a JSON file, recorded traffic as replay reads it, or - for standard input',
    least: 1,
    most: 1,
  },
  options: {
    budget: {
      type: 'number',
      about: 'tokens of the window, in place of those of the document or the model',
      placeholder: 'TOKENS',
      min: 1,
      variables: variablesOf('CONTEXT_BUDGET'),
    },
    model: { type: 'text', about: 'count and price for this model', placeholder: 'MODEL' },
    policy: {
      type: 'text',
      about: `a file, ${policyNames}`,
      placeholder: 'POLICY',
      variables: variablesOf('POLICY'),
    },
    set: settingsOption,
    layout: {
      type: 'text',
      about: 'keep the conversation, or write one payload',
      placeholder: 'LAYOUT',
      choices: ['messages', 'payload'],
    },
    dialect: {
      type: 'text',
      about: `dialect of a body: ${dialects.names.join(', ')}, or one of an extension (default: detected)`,
      placeholder: 'DIALECT',
    },
    request: {
      type: 'number',
      about: 'of recorded traffic: the number of the request, from 1 (default: the last)',
      placeholder: 'N',
      min: 1,
    },
    data: { ...storeOptions.data, about: 'folder of the store that keeps what handles stand for' },
    store: storeOptions.store,
    ...extensionOptions,
    manifest: { type: 'text', about: 'write the manifest to this file', placeholder: 'OUT' },
    output: {
      type: 'text',
      about: 'write what would be sent to this file: the body, or the pack',
      placeholder: 'OUT',
    },
  },
  examples: [
    'prehend compile request.json --budget 8000',
    'prehend compile ~/.codex/sessions/2026/10/02/rollout.jsonl --request 12 --budget 16000',
    'prehend compile - --layout payload --manifest manifest.json < document.json',
  ],
  async run({ options, positionals: [file = '-'], io }) {
    const text = await readText(file, io)
    const name = file === '-' ? 'standard input' : file
    const { task, result } = await withExtensions(options, async (extensions) => {
      const changes = { ...options, dialects: dialectsOf(extensions), environment: io.environment }
      const read = compileTask(text, name, changes)
      if (read.recorded !== undefined) {
        const { form, number, of } = read.recorded
        io.err(`prehend: ${name}: ${form}, request ${number} of ${of}\n`)
      }
      return { task: read, result: await compileKept(read, { place: options, extensions }, io) }
    })
    if (options.manifest !== undefined) {
      await writeText('--manifest', options.manifest, `${JSON.stringify(result.manifest, undefined, 2)}\n`)
    }
    const output = outputOf(task, result)
    if (options.output !== undefined && output !== undefined) await writeText('--output', options.output, output)
    const { outcome, pack, manifest } = result
    io.out(
      options.json === true ? `${JSON.stringify({ outcome, pack, manifest })}\n` : compileReport(result, io.columns),
    )
    return pack === undefined ? errorPlaces['budget-exhausted'].exitCode : 0
  },
})

/** The body with the pack in it, where a body came in and keeps its structure; otherwise the pack itself. */
function outputOf({ body }: CompileTask, { pack, manifest }: CompileResult): string | undefined {
  if (pack === undefined) return undefined
  if (body === undefined || pack.layout === 'payload') return serializePack(pack)
  return encodeRequest({ ...body, pack, tools: body.tools(manifest.offers === true) }).body
}
