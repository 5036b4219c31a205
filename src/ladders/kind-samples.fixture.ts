import { readFileSync } from 'node:fs'
import type { ContentKind } from './content-kinds.ts'

/** A text of a kind that somebody told by reading it, and how the text was made. */
export interface KindSample {
  readonly name: string
  readonly kind: ContentKind
  readonly made: string
  readonly text: string
}

const folder = new URL('../fixtures/kinds/', import.meta.url)

/** All samples of `src/fixtures/kinds`, by name. */
export const kindSamples: readonly KindSample[] = readIndex().map((entry) => ({
  ...entry,
  text: readFileSync(new URL(`${entry.name}.txt`, folder), 'utf8').slice(0, -1),
}))

function readIndex(): readonly Omit<KindSample, 'text'>[] {
  return JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as readonly Omit<KindSample, 'text'>[]
}

/** A text as shell harnesses return it. */
export function enveloped(text: string): string {
  return `<returncode>0</returncode>\n<output>\n${text}\n</output>`
}
