import { existsSync } from 'node:fs'
import { PrehendError, isJsonObject } from '../core/index.ts'
import type { CompileInput, CompileResult } from '../core/index.ts'
import type { Receipt } from '../stores/index.ts'
import { compileTask } from './compile-input.ts'
import { builtInCompiling } from './compiling.ts'
import type { Compiling } from './compiling.ts'
import { policyNames } from './diff-side.ts'
import type { SideOptions } from './diff-side.ts'
import type { Io } from './io.ts'
import { parseJson, readText } from './read-text.ts'
import { withReceipts } from './receipts.ts'

/** How what is no receipt is compiled. */
export const taskOptions = {
  policy: {
    type: 'text',
    about: `policy that compiles a document or a body: a file, ${policyNames}`,
    placeholder: 'POLICY',
  },
  budget: { type: 'number', about: 'tokens of the window', placeholder: 'TOKENS', min: 1 },
  model: { type: 'text', about: 'count tokens for this model', placeholder: 'MODEL' },
  layout: {
    type: 'text',
    about: 'keep its conversation, or write one payload',
    placeholder: 'LAYOUT',
    choices: ['messages', 'payload'],
  },
} as const

/** What is to be compiled again and again. */
export interface CompiledTask {
  readonly input: CompileInput
  readonly compile: (input: CompileInput) => CompileResult
}

/** By its name: a receipt that holds its input, a file with one, a document or a body. */
export async function compiledTask(name: string, options: SideOptions, io: Io): Promise<CompiledTask> {
  const { compiling = builtInCompiling } = options
  if (name !== '-' && !existsSync(name))
    return withReceipts(options, io, async (receipts) => taskOfReceipt(await receipts.one(name), compiling))
  const text = await readText(name, io)
  const value = parseJson(text, name)
  if (isJsonObject(value) && isJsonObject(value['manifest']))
    return taskOfReceipt(value as unknown as Receipt, compiling)
  const { compile, dialects } = compiling
  return { input: compileTask(text, name === '-' ? 'standard input' : name, { ...options, dialects }).input, compile }
}

function taskOfReceipt({ input, manifest }: Receipt, { again }: Compiling): CompiledTask {
  if (input !== undefined) return { input, compile: (given) => again(given, manifest) }
  const remedy = 'Let the gateway record content (--record content), then take a newer one'
  throw new PrehendError('not-found', `The receipt does not hold its input. ${remedy}.`, { what: 'input', remedy })
}
