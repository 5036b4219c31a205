import type { Artifact } from '../api/answers.ts'

type Class = Artifact['class']

const classes: Readonly<Record<Class, string>> = {
  evidence: 'Evidence',
  manifest: 'Manifests',
  raw: 'Raw results',
}

/** Classes of retention, as they are listed. */
export const artifactClasses = Object.keys(classes) as readonly Class[]

export const classWords = (name: Class): string => classes[name]

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^text\/markdown/, 'Markdown'],
  [/^text\/html/, 'HTML'],
  [/^text\/csv/, 'table'],
  [/[/+]json/, 'JSON'],
  [/[/+]xml/, 'XML'],
  [/^text\//, 'text'],
  [/^image\//, 'picture'],
  [/^(?:audio|video)\//, 'recording'],
  [/pdf$/, 'PDF'],
]

/** What a media type is called. */
export function kindWords(mediaType: string): string {
  return kinds.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'bytes'
}

/** Whether it can be shown as text. */
export function isTextual(mediaType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|x-ndjson)\b/.test(mediaType)
}
