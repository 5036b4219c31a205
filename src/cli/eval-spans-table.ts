import { percent, spanLevels } from '../inspect/index.ts'
import type { SpanReport } from '../inspect/index.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** What of marked spans stands, for people. */
export function spansTable(
  { name, texts, passages, spans, tokens, types }: SpanReport,
  width: number | undefined,
): string {
  const rows = [
    ['tokens left', '', ...spanLevels.map((level) => percent(tokens[level]))],
    ...types.map(({ type, spans: count, stands }) => [
      type,
      `${count}`,
      ...spanLevels.map((level) => percent(stands[level])),
    ]),
  ]
  const title = `${name}: ${texts} texts in ${passages} passages, ${spans} marked spans`
  const table = textTable(['type', 'spans', ...spanLevels], rows)
  return [hanging(title, width), '', table, '', hanging(legend, width)].join('\n')
}

const legend =
  'Spans that stand word for word where the texts are shortened: what a model can still use, and whoever sees the request can still read. Nothing looks for them, so that shortening hides none on purpose: no rung is a mask.'
