import { existsSync } from 'node:fs'
import { defaultPolicy, recommendedPolicies } from '../compiler/index.ts'
import { PrehendError, hasPack, invalidInput, isJsonObject, shownManifest } from '../core/index.ts'
import type { Manifest } from '../core/index.ts'
import type { Chosen } from '../governor/index.ts'
import { countingOf, packTrace, plainRules, readTrace } from '../inspect/index.ts'
import type { Trace } from '../inspect/index.ts'
import type { Receipt } from '../stores/index.ts'
import { builtInCompiling } from './compiling.ts'
import type { Compiling } from './compiling.ts'
import { compileTask } from './compile-input.ts'
import type { CompileChanges } from './compile-input.ts'
import type { Io } from './io.ts'
import { policyAt } from './policy-file.ts'
import { prehendStrategies } from './prehend-strategies.ts'
import { parseJson, readText } from './read-text.ts'
import { withReceipts } from './receipts.ts'
import type { ReceiptSource } from './receipts.ts'

/** The names that help gives; `prehend policy list` has all. */
export const policyNames = `${Object.keys(recommendedPolicies).join(', ')}, or another name of prehend policy list`

export interface SideOptions extends ReceiptSource, Pick<CompileChanges, 'budget' | 'policy' | 'layout' | 'model'> {
  readonly trace?: string
  /** The built-in way where absent. */
  readonly compiling?: Compiling
}

/** Both sides, by their names: receipts, files, or the numbers of requests in a trace. */
export async function sidesOf(names: readonly string[], options: SideOptions, io: Io): Promise<readonly Chosen[]> {
  if (options.trace !== undefined) return fromTrace(options.trace, names, options)
  const sides: Chosen[] = []
  for (const name of names) sides.push(await sideOf(name, options, io))
  return sides
}

async function sideOf(name: string, options: SideOptions, io: Io): Promise<Chosen> {
  const { compiling = builtInCompiling } = options
  if (name !== '-' && !existsSync(name))
    return withReceipts(options, io, async (receipts) => ofReceipt(await receipts.one(name), compiling))
  const text = await readText(name, io)
  const value = parseJson(text, name)
  if (isJsonObject(value) && value['schema'] === 'prehend.manifest/1') return { manifest: value as unknown as Manifest }
  if (isJsonObject(value) && isJsonObject(value['manifest'])) return ofReceipt(value as unknown as Receipt, compiling)
  const { compile, dialects } = compiling
  return compile(compileTask(text, name === '-' ? 'standard input' : name, { ...options, dialects }).input)
}

/** With its texts, where the receipt holds its input and still comes out the same. */
function ofReceipt({ manifest, input }: Receipt, { again }: Compiling): Chosen {
  if (input === undefined || !hasPack(manifest)) return { manifest: shownManifest(manifest) }
  const { pack } = again(input, manifest)
  return pack?.hash === manifest.packHash ? { manifest, pack } : { manifest }
}

async function fromTrace(file: string, names: readonly string[], options: SideOptions): Promise<readonly Chosen[]> {
  const numbers = names.map(requestNumber)
  const packed = new Map<number, Manifest>()
  const rules = plainRules({})
  const policy = options.policy === undefined ? defaultPolicy : policyAt(options.policy, '--policy').policy
  let number = 0
  const [strategy] = await prehendStrategies(rules, {
    policies: [{ name: policy.id, policy, packed: (manifest) => packed.set((number += 1), manifest) }],
    windowTokens: options.budget,
    extras: options.compiling?.extras,
  })
  let requests = 0
  for await (const trace of readTrace(file)) {
    number = requests
    if (strategy !== undefined)
      packTrace(trace, strategy, { ...countingOf(rules), first: neededOf(trace, numbers, requests) })
    requests += trace.requests.length
    if (requests >= Math.max(...numbers)) break
  }
  return numbers.map((one) => {
    const manifest = packed.get(one)
    if (manifest !== undefined) return { manifest }
    const remedy = 'They are counted from 1, over all sessions of the file'
    throw new PrehendError('not-found', `${file} has ${requests} requests, and no number ${one}. ${remedy}.`, {
      what: `request ${one}`,
      remedy,
    })
  })
}

/** How many requests of a session must be packed so that the last one that is asked for is. */
function neededOf({ requests }: Trace, numbers: readonly number[], before: number): number {
  return Math.max(0, ...numbers.map((one) => one - before).filter((own) => own <= requests.length))
}

function requestNumber(name: string): number {
  const number = Number(name)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw invalidInput(name, 'is no number of a request', 'With --trace, give two numbers, counted from 1')
}
