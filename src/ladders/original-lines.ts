import type { ItemKind } from '../core/index.ts'
import { callLines } from './call-lines.ts'
import { hasLinesInStrings } from './result-lines.ts'
import { splitLines } from './text-lines.ts'
import type { SplitLines } from './text-lines.ts'

/**
 * The lines of an original by which its handle answers. Of a call's arguments, and of a result that is JSON with lines in its strings,
 * they are what the strings say.
 */
export function originalLines({
  text,
  kind,
}: {
  readonly text: string
  readonly kind?: ItemKind | undefined
}): SplitLines {
  const isSaid = kind === 'tool-call' || (kind === 'tool-result' && hasLinesInStrings(text))
  return isSaid ? callLines(text) : splitLines(text)
}
