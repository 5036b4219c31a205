import type { Span } from './evidence.ts'

/** What begins a part of a page that its readers do not see, and what ends it. */
const hidden: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['{% comment', '{% endcomment'],
  ['{#', '#}'],
  ['[//]: #', '\n'],
  ['[comment]: #', '\n'],
  ['display:none', '</'],
  ['display: none', '</'],
  ['visibility:hidden', '</'],
  ['visibility: hidden', '</'],
  ['font-size:0', '</'],
  ['font-size: 0', '</'],
  ['color:white', '</'],
  ['color:#fff', '</'],
  ['aria-hidden="true"', '</'],
  ['(white text)', '\n\n'],
]

/** A part that is not closed is no longer than this, in characters. */
const longest = 2000

/** Parts of a text that readers of a page do not see, in order. */
export function hiddenSpans(text: string): readonly Span[] {
  const spans = hidden.flatMap(([begin, end]) => spansOf(text, begin, end))
  return spans.length < 2 ? spans : merged(spans)
}

function spansOf(text: string, begin: string, end: string): readonly Span[] {
  const spans: Span[] = []
  for (let start = text.indexOf(begin); start >= 0;) {
    const closed = text.slice(start, start + longest).indexOf(end, begin.length)
    const stop = closed < 0 ? Math.min(text.length, start + longest) : start + closed
    spans.push({ start, end: stop })
    start = text.indexOf(begin, stop)
  }
  return spans
}

function merged(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last !== undefined && span.start <= last.end)
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else all.push(span)
  }
  return all
}
