import type { JSX } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../address.ts'

/** Goes to the page of what is found; `/` anywhere on a page leads here. */
export function SearchBox(): JSX.Element {
  const { query, path, route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const find = (event: Event): void => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    if (text !== '') route(addressOf.search(text))
  }
  return (
    <form role="search" class="search" onSubmit={find}>
      <label>
        <span class="hidden-label">Search sessions, requests, items and handles</span>
        <input
          ref={input}
          type="search"
          placeholder="Search  /"
          autoComplete="off"
          spellcheck={false}
          defaultValue={path.endsWith('/search') ? query['q'] : ''}
        />
      </label>
    </form>
  )
}
