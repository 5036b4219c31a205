import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

interface SureButtonProps {
  readonly label: string
  /** What it says when it was pressed once: what will happen. */
  readonly sure: string
  readonly onSure: () => void
}

/** A button that has to be pressed twice, for what cannot be undone. */
export function SureButton({ label, sure, onSure }: SureButtonProps): JSX.Element {
  const [isSure, setIsSure] = useState(false)
  if (!isSure)
    return (
      <button type="button" class="plain" onClick={() => setIsSure(true)}>
        {label}
      </button>
    )
  return (
    <button
      type="button"
      onClick={() => {
        setIsSure(false)
        onSure()
      }}
      onBlur={() => setIsSure(false)}
    >
      {sure}
    </button>
  )
}
