import type { WireRequest } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { Field } from '../read-field.ts'
import { optionalString } from '../read-field.ts'
import type { Target } from '../request-reader.ts'

const targetPath = /\/models\/([^/:?]+):(\w+)/

/** The path names the model and what is wanted of it; bodies that come without one, as in a batch, name it themselves. */
export function target({ path = '' }: WireRequest, body: Field): Target {
  const [, inPath, verb] = targetPath.exec(path) ?? []
  const model = inPath ?? optionalString(body, 'model')?.replace(/^models\//, '')
  if (model === undefined || model === '')
    throw invalidInput('model', 'missing', 'Name it in the path: /v1beta/models/{model}:generateContent.')
  return { model, stream: verb === 'streamGenerateContent' }
}

/** The path of a request that is written anew. */
export function pathTo({ model, stream }: Target): string {
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return `/v1beta/models/${encodeURIComponent(model)}:${verb}`
}
