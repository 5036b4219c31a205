import { codecFor, dialects } from '../codecs/index.ts'
import { invalidInput, isJsonObject } from '../core/index.ts'
import { parseCompileDocument, singleRequest } from '../sessions/index.ts'
import { defaultPolicy, withSettings } from '../compiler/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { policyAt } from './policy-file.ts'
import type { Io } from './io.ts'
import { settingsSaid } from './policy-settings.ts'
import { parseJson } from './read-text.ts'
import type { CompileInput, JsonObject, Policy } from '../core/index.ts'
import type { SingleRequest } from '../sessions/index.ts'

/** What the command line changes in what is compiled. */
export interface CompileChanges {
  readonly budget?: number | undefined
  readonly model?: string | undefined
  readonly policy?: string | undefined
  /** Figures of the policy, as pairs. */
  readonly set?: readonly string[] | undefined
  /** Where such figures are said as well. */
  readonly environment?: Io['environment'] | undefined
  readonly layout?: string | undefined
  readonly dialect?: string | undefined
}

export interface CompileTask {
  readonly input: CompileInput
  /** Present for a request body: what puts the pack back into it. */
  readonly body?: SingleRequest
}

/** Reads a `prehend.compile/1` document, or a request body of any dialect. */
export function compileTask(text: string, file: string, changes: CompileChanges): CompileTask {
  const value = parseJson(text, file)
  if (!isJsonObject(value)) {
    throw invalidInput(file, 'is not an object', 'Give a prehend.compile/1 document or a request body')
  }
  if ('schema' in value || 'items' in value) {
    const ownsPolicy = value['policy'] !== undefined && changes.policy === undefined
    return { input: changed(parseCompileDocument(value), ownsPolicy ? { ...changes, environment: {} } : changes) }
  }
  if (dialects.isRequest(value)) return bodyTask(text, value, changes)
  throw invalidInput(
    file,
    'is neither a document nor a request body',
    'It needs `schema` and `items`, or what is said: `messages`, `input` or `contents`',
  )
}

function changed(input: CompileInput, changes: CompileChanges): CompileInput {
  const { budget, model, policy, layout } = changes
  return {
    ...input,
    ...(budget === undefined ? {} : { budget: { ...input.budget, windowTokens: budget } }),
    ...(model === undefined ? {} : { model }),
    policy: withFigures(policy === undefined ? input.policy : policyOf(policy), changes),
    ...(layout === undefined ? {} : { layout: layout as CompileInput['layout'] }),
  }
}

function policyOf(named: string | undefined): Policy {
  return named === undefined ? defaultPolicy : policyAt(named, '--policy').policy
}

/** What the environment says of its figures, and what the command line says. */
function withFigures(policy: Policy, { set, environment = {} }: CompileChanges): Policy {
  return withSettings(policy, settingsSaid(set, environment), '--set')
}

function bodyTask(text: string, value: JsonObject, changes: CompileChanges): CompileTask {
  const { budget, model, policy, layout, dialect } = changes
  const body = singleRequest(text, value, {
    catalogue: shippedCatalogue,
    policy: withFigures(policyOf(policy), changes),
    codec: dialect === undefined ? undefined : codecFor(dialect),
    model,
    windowTokens: budget,
  })
  if (layout !== 'payload') return { input: body.input, body }
  // The user's words stand in the payload as the item that they are.
  const isAsked = body.input.items.some((item) => item.section === 'query')
  return { input: { ...body.input, layout, ...(isAsked ? {} : { frame: { request: '' } }) }, body }
}
