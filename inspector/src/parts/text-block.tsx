import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count } from '../format.ts'

const shownLines = 14
const shownChars = 2400

interface TextBlockProps {
  readonly text: string
  readonly label: string
  readonly isOpenFirst?: boolean
}

/** A text of a conversation, word for word; a long one is cut until somebody asks for the rest. */
export function TextBlock({ text, label, isOpenFirst = false }: TextBlockProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(isOpenFirst)
  if (text === '') return <p class="quiet">It has no text.</p>
  const short = beginning(text)
  const isLong = short.length < text.length
  return (
    <div class="text-block">
      {isOpen && isLong ? (
        <pre class="whole" role="group" aria-label={label} tabIndex={0}>
          {text}
        </pre>
      ) : (
        <pre>{short}</pre>
      )}
      {isLong && (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${count(text.length)} characters`}
        </button>
      )}
    </div>
  )
}

function beginning(text: string): string {
  let end = -1
  for (let line = 0; line < shownLines; line += 1) {
    end = text.indexOf('\n', end + 1)
    if (end < 0 || end > shownChars) break
  }
  const cut = end < 0 ? text.length : end
  // A few lines more are shown rather than a button for them.
  const wanted = Math.min(cut, shownChars)
  return text.length - wanted < 200 ? text : text.slice(0, wanted)
}
