/** Counts tokens; the only way text is measured (C-007). Same text, same count, never throws. */
export interface Tokenizer {
  readonly id: string
  count(text: string): number
}

/** Digest of a text as lower-case hexadecimal; SHA-256 wherever the result is published. */
export type Hasher = (text: string) => string
