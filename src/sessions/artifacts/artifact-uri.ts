import { invalidInput } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'

/** What an artifact is asked for by: a path, which has versions, or the hash of its bytes. */
export type ArtifactName = { readonly path: string } | { readonly sha256: string }

/** What a path consists of. */
export interface ArtifactPathParts {
  readonly task: string
  /** The number or the id of the step. */
  readonly step: string | number
  readonly name: string
}

const scheme = 'artifact://'
const oneName = /^[A-Za-z0-9._-]{1,128}$/

/** A task, a step or a file: 1 to 128 letters, digits, dots, hyphens and underscores, without `..`. */
export function isArtifactName(name: string): boolean {
  return oneName.test(name) && name !== '.' && !name.includes('..')
}

/** `tasks/{task}/step-{step}/{name}`. Throws `invalid-input` where a part is no name. */
export function artifactPath({ task, step, name }: ArtifactPathParts, field = 'path'): string {
  return requirePath(`tasks/${task}/step-${step}/${name}`, field)
}

/** The same, of ids that a host has chosen freely: an id that is no name is replaced by one that stands for it. */
export function ownArtifactPath({ task, step, name }: ArtifactPathParts): string {
  return artifactPath({ task: nameFor(task), step: nameFor(String(step).replace(/^step-(?=.)/, '')), name })
}

function nameFor(id: string): string {
  return isArtifactName(id) && id.length <= 123 ? id : `h-${sha256(id).slice(0, 32)}`
}

/** The URI of the artifact at a path: `artifact://` and the path. */
export function artifactUri(path: string): string {
  return scheme + path
}

export function isArtifactUri(text: string): boolean {
  return text.startsWith(scheme)
}

/** Reads `artifact://tasks/…`, `artifact://sha256/{hash}`, or either without its scheme. Throws `invalid-input` that names the field. */
export function readArtifactUri(text: string, field = 'uri'): ArtifactName {
  const place = isArtifactUri(text) ? text.slice(scheme.length) : text
  const [, hash] = /^sha256\/(.*)$/s.exec(place) ?? []
  if (hash === undefined) return { path: requirePath(place, field) }
  if (/^[0-9a-f]{64}$/.test(hash)) return { sha256: hash }
  throw invalidInput(field, 'has no SHA-256', 'Write sha256/ and 64 lower-case hexadecimal digits.')
}

/** Whether a text may be the beginning of paths. */
export function isArtifactPrefix(prefix: string): boolean {
  return /^[A-Za-z0-9._/-]{0,512}$/.test(prefix)
}

function requirePath(path: string, field: string): string {
  const [tasks, task = '', step = '', name = '', ...more] = path.split('/')
  const isPath = tasks === 'tasks' && more.length === 0 && [task, step, name].every(isArtifactName)
  if (isPath && /^step-./.test(step)) return path
  const names = 'Each name has 1 to 128 letters, digits, and . _ - but no "..".'
  throw invalidInput(field, 'is no path of an artifact', `Write tasks/TASK/step-N/NAME. ${names}`)
}
