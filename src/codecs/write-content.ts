import { rawArray } from './write-request.ts'

/** A raw part of a message in OpenAI's dialects. */
export interface Part {
  readonly raw: string
  /** Of a part that is nothing but text. */
  readonly text?: string
}

/** A single text is written as a string, which every server of these dialects takes. */
export function contentOf(parts: readonly Part[]): string {
  const [only] = parts
  if (only === undefined) return 'null'
  return parts.length === 1 && only.text !== undefined
    ? JSON.stringify(only.text)
    : rawArray(parts.map(({ raw }) => raw))
}
