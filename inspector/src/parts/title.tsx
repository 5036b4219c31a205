import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'

/** The head of a page, which is the name of its tab as well. */
export function Title({ text, isCode = false }: { readonly text: string; readonly isCode?: boolean }): JSX.Element {
  useEffect(() => {
    document.title = `${text} · Prehend`
  }, [text])
  return <h1 class={isCode ? 'mono' : undefined}>{text}</h1>
}
