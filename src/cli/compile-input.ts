import { dialects as builtInDialects } from '../codecs/index.ts'
import { invalidInput, isJsonObject, jsonValue } from '../core/index.ts'
import { bodyIn, isRecording } from '../inspect/index.ts'
import { parseCompileDocument, singleRequest } from '../sessions/index.ts'
import { defaultPolicy, withSettings } from '../compiler/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { policyAt } from './policy-file.ts'
import type { Io } from './io.ts'
import { settingsSaid } from './policy-settings.ts'
import { parseJson } from './read-text.ts'
import type { DialectTable } from '../codecs/index.ts'
import type { CompileInput, JsonObject, Policy } from '../core/index.ts'
import type { RecordedBody } from '../inspect/index.ts'
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
  /** Those that a body may be of; the built-in ones where absent. */
  readonly dialects?: DialectTable | undefined
  /** Which request of recorded traffic, from 1; the last where absent. */
  readonly request?: number | undefined
}

export interface CompileTask {
  readonly input: CompileInput
  /** Present for a request body: what puts the pack back into it. */
  readonly body?: SingleRequest
  /** Where the body stood, if it is one of recorded traffic. */
  readonly recorded?: RecordedBody
}

/** Reads a `prehend.compile/1` document, a request body of any dialect, or one of the requests of recorded traffic. */
export function compileTask(text: string, file: string, changes: CompileChanges): CompileTask {
  const value = jsonValue(text)
  // One document may be recorded traffic, and text that is no document may be many.
  if (value === undefined ? isManyDocuments(text) : isRecording(value)) return recordedTask(text, file, changes)
  const document = value ?? parseJson(text, file)
  if (!isJsonObject(document)) {
    throw invalidInput(file, 'is not an object', 'Give a prehend.compile/1 document or a request body')
  }
  if (changes.request !== undefined)
    throw invalidInput('--request', 'goes with recorded traffic only', 'Leave it out; the file is one request')
  if ('schema' in document || 'items' in document) {
    const ownsPolicy = document['policy'] !== undefined && changes.policy === undefined
    return { input: changed(parseCompileDocument(document), ownsPolicy ? { ...changes, environment: {} } : changes) }
  }
  if ((changes.dialects ?? builtInDialects).isRequest(document)) return bodyTask(text, document, changes)
  throw invalidInput(
    file,
    'is neither a document nor a request body, nor of a form of recorded traffic that is known',
    'It needs `schema` and `items`, or what is said: `messages`, `input` or `contents`',
  )
}

/** Whether the first line, or the first lines together, are a document of their own. */
function isManyDocuments(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && (isJsonObject(jsonValue(lines[0] ?? '')) || /^\}\s*\{/m.test(text))
}

function recordedTask(text: string, file: string, changes: CompileChanges): CompileTask {
  const recorded = bodyIn(file, text, changes.request)
  const { body, dialect } = recorded
  return { ...bodyTask(JSON.stringify(body), body, { dialect, ...defined(changes) }), recorded }
}

function defined(changes: CompileChanges): CompileChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
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
  const { budget, model, policy, layout, dialects = builtInDialects } = changes
  const { dialect = dialects.detect({ body: value }) } = changes
  const body = singleRequest(text, value, {
    catalogue: shippedCatalogue,
    policy: withFigures(policyOf(policy), changes),
    codec: dialects.for(dialect),
    model,
    windowTokens: budget,
  })
  if (layout !== 'payload') return { input: body.input, body }
  // The user's words stand in the payload as the item that they are.
  const isAsked = body.input.items.some((item) => item.section === 'query')
  return { input: { ...body.input, layout, ...(isAsked ? {} : { frame: { request: '' } }) }, body }
}
