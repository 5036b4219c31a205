import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { count } from '../format.ts'
import { lineDifference } from './line-difference.ts'
import type { Hunk } from './line-difference.ts'

/** A comparison that takes longer is given up. */
const mostMs = 800

/** More lines than these are shown when somebody asks for them. */
const shownLines = 600

export interface TextDifferenceProps {
  readonly before: string
  readonly after: string
  readonly label: string
}

/** Two texts line by line: what is gone, what has come, and a few lines around. */
export function TextDifference({ before, after, label }: TextDifferenceProps): JSX.Element {
  const hunks = useMemo(() => lineDifference(before, after, { context: 2, timeoutMs: mostMs }), [before, after])
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? hunks : beginning(hunks)
  if (before === after) return <p class="quiet">They are the same to the byte.</p>
  return (
    <>
      <div class="difference" role="group" aria-label={label} tabIndex={0}>
        {shown.map((hunk) => (
          <div key={`${hunk.oldStart} ${hunk.newStart}`}>
            <div class="hunk quiet">
              line {count(hunk.oldStart)} before, {count(hunk.newStart)} after
            </div>
            {hunk.lines.map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </div>
        ))}
      </div>
      {shown.length < hunks.length && (
        <button type="button" class="plain" onClick={() => setIsWhole(true)}>
          Show all {count(hunks.length)} places
        </button>
      )}
    </>
  )
}

/** Whole hunks, up to about as many lines as can be drawn at once; the first in any case. */
function beginning(hunks: readonly Hunk[]): readonly Hunk[] {
  let lines = 0
  const end = hunks.findIndex((hunk) => (lines += hunk.lines.length) > shownLines)
  return end < 0 ? hunks : hunks.slice(0, Math.max(1, end))
}

const kinds: Readonly<Record<string, string>> = { '+': 'come', '-': 'gone' }

function Line({ line }: { readonly line: string }): JSX.Element {
  const mark = line.slice(0, 1)
  return (
    <div class={kinds[mark]}>
      <span aria-hidden="true">{mark}</span>
      {mark === '+' && <ins>{line.slice(1)}</ins>}
      {mark === '-' && <del>{line.slice(1)}</del>}
      {mark !== '+' && mark !== '-' && <span>{line.slice(1)}</span>}
    </div>
  )
}
