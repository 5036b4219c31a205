import type { WireRequest } from '../../core/index.ts'
import type { Field } from '../read-field.ts'
import { modelInPath } from '../model-in-path.ts'
import { optionalString } from '../read-field.ts'
import type { Target } from '../request-reader.ts'

const targetPath = /\/models\/([^/:?]+):(\w+)/

/**
 * The path names the model and what is wanted of it; bodies that come without one, as in a batch, name the model themselves.
 * Those that do not are read all the same: what they say does not hang on it.
 */
export function target({ path = '' }: WireRequest, body: Field): Target {
  const [, inPath, verb] = targetPath.exec(path) ?? []
  const inBody = optionalString(body, 'model')?.replace(/^models\//, '')
  return { model: inPath ?? inBody ?? '', stream: verb === 'streamGenerateContent' }
}

/** The same path for another model. */
export function renamedPath(path: string, model: string): string {
  return path.replace(targetPath, (_, _before, verb) => `/models/${modelInPath(model)}:${verb}`)
}

/** The path of a request that is written anew. */
export function pathTo({ model, stream }: Target): string {
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return `/v1beta/models/${modelInPath(model)}:${verb}`
}
