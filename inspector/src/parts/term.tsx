import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { termMeaning } from '../glossary.ts'

interface TermProps {
  /** As the glossary has it. */
  readonly word: string
  readonly children?: ComponentChildren
}

interface Place {
  readonly left: number
  readonly top: number
}

const widest = 280

/** A word whose meaning is shown when it is pointed at or has the focus; Escape hides it. */
export function Term({ word, children = word }: TermProps): JSX.Element {
  const id = useId()
  const [place, setPlace] = useState<Place>()
  const meaning = termMeaning(word)
  if (meaning === undefined) return <>{children}</>
  const show = (event: Event): void => {
    const { left, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    setPlace({ left: Math.max(8, Math.min(left, innerWidth - widest - 16)), top: bottom + 4 })
  }
  const hide = (): void => setPlace(undefined)
  return (
    <>
      <button
        type="button"
        class="term"
        aria-describedby={id}
        onMouseEnter={show}
        onFocus={show}
        onClick={show}
        onMouseLeave={hide}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        class="meaning"
        hidden={place === undefined}
        style={place && { left: `${place.left}px`, top: `${place.top}px` }}
      >
        {meaning}
      </span>
    </>
  )
}

interface MeaningsProps {
  /** Label and meaning, in the order in which they are listed. */
  readonly words: readonly (readonly [string, string])[]
}

/** What the words of a table mean, folded. */
export function Meanings({ words }: MeaningsProps): JSX.Element | null {
  const known = [...new Map(words.filter(([, meaning]) => meaning !== ''))]
  if (known.length === 0) return null
  return (
    <details class="inside meanings">
      <summary>What these words mean</summary>
      <dl class="facts">
        {known.map(([label, meaning]) => (
          <>
            <dt>{label}</dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}
