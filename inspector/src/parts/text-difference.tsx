import { structuredPatch } from 'diff'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { count } from '../format.ts'

/** A comparison that takes longer is given up. */
const mostMs = 1500

export interface TextDifferenceProps {
  readonly before: string
  readonly after: string
  readonly label: string
}

/** Two texts line by line: what is gone, what has come, and a few lines around. */
export function TextDifference({ before, after, label }: TextDifferenceProps): JSX.Element {
  const patch = useMemo(
    () => structuredPatch('', '', before, after, undefined, undefined, { context: 2, timeout: mostMs }),
    [before, after],
  )
  if (before === after) return <p class="quiet">They are the same to the byte.</p>
  if (patch === undefined) return <p class="quiet">They differ too much to be compared line by line here.</p>
  return (
    <div class="difference" role="group" aria-label={label} tabIndex={0}>
      {patch.hunks.map((hunk) => (
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
  )
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
