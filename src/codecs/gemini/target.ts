import type { WireRequest } from '../../core/index.ts'
import type { Field } from '../read-field.ts'
import { modelInPath } from '../model-in-path.ts'
import { optionalString } from '../read-field.ts'
import type { Target } from '../request-reader.ts'

const folder = '/models/'

interface TargetPath {
  /** What stands before the model's name, which may hold slashes and colons. */
  readonly before: string
  readonly model: string
  readonly verb: string
  /** The query, if any. */
  readonly after: string
}

function targetPath(path: string): TargetPath | undefined {
  const query = path.indexOf('?')
  const plain = query === -1 ? path : path.slice(0, query)
  const start = plain.indexOf(folder) + folder.length
  const colon = plain.lastIndexOf(':')
  if (start < folder.length || colon <= start) return undefined
  return {
    before: plain.slice(0, start),
    model: plain.slice(start, colon),
    verb: plain.slice(colon + 1),
    after: path.slice(plain.length),
  }
}

/**
 * The path names the model and what is wanted of it; bodies that come without one, as in a batch, name the model themselves.
 * Those that do not are read all the same: what they say does not hang on it.
 */
export function target({ path = '' }: Pick<WireRequest, 'path'>, body: Field): Target {
  const { model, verb } = targetPath(path) ?? {}
  const named = model === undefined ? optionalString(body, 'model') : decoded(model)
  return { model: named?.replace(/^models\//, '') ?? '', stream: verb === 'streamGenerateContent' }
}

/** A name that has been through `encodeURIComponent`, or that has not. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The model that a path names; undefined where it names none. */
export function modelNamedIn(path: string): string | undefined {
  const { model } = targetPath(path) ?? {}
  return model === undefined ? undefined : decoded(model).replace(/^models\//, '')
}

/** The same path for another model. */
export function renamedPath(path: string, model: string): string {
  const to = targetPath(path)
  return to === undefined ? path : `${to.before}${modelInPath(model)}:${to.verb}${to.after}`
}

/** The path of a request that is written anew. */
export function pathTo({ model, stream }: Target): string {
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return `/v1beta/models/${modelInPath(model.replace(/^models\//, ''))}:${verb}`
}
