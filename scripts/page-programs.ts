import { readFileSync } from 'node:fs'

/** A program of a page, and what the page says that it prints. */
export interface PageProgram {
  readonly code: string
  /** The `text` block that follows the program at once; absent where there is none. */
  readonly prints?: string
}

/** The address at which pages have a gateway. */
export const usualUrl = 'http://127.0.0.1:8484'

/** The programs of a page in one language, in their order. Blocks with more words behind the language are none. */
export function programsIn(page: string, language: 'ts' | 'python'): readonly PageProgram[] {
  const blocks = readFileSync(page, 'utf8').matchAll(
    /^```(\w+)\n([\s\S]*?)^```\n(?:\n(?!#)(?:^```text\n([\s\S]*?)^```$)?)?/gm,
  )
  return Array.from(blocks, ([, of, code = '', prints]) => ({ of, code, ...(prints !== undefined && { prints }) }))
    .filter(({ of, code }) => of === language && /^(?:import|from) /m.test(code))
    .map(({ code, prints }) => ({ code, ...(prints !== undefined && { prints }) }))
}
