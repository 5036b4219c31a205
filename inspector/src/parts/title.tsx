import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'

interface TitleProps {
  readonly text: string
  readonly isCode?: boolean
  /** Of what the page shows, where its head is not its id. */
  readonly id?: string
}

/** The head of a page, which is the name of its tab as well. */
export function Title({ text, isCode = false, id }: TitleProps): JSX.Element {
  useEffect(() => {
    document.title = `${text} · Prehend`
  }, [text])
  return (
    <h1 class={isCode ? 'mono' : undefined} title={id}>
      {text}
    </h1>
  )
}
