import { useLocation } from 'preact-iso'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { home } from './address.ts'
import { groups, pages } from './pages/pages.ts'

/** The pages by group. On a narrow screen a button opens and closes them. */
export function Menu(): JSX.Element {
  const { path } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => setIsOpen(false), [path])
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    <div class="menu" onKeyDown={onKey}>
      <button
        ref={button}
        type="button"
        class="menu-button"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => setIsOpen(!isOpen)}
      >
        Menu
      </button>
      <nav id="pages" aria-label="Pages" data-open={isOpen}>
        {groups.map((group) => (
          <Group key={group} name={group} path={path} />
        ))}
      </nav>
    </div>
  )
}

function Group({ name, path }: { readonly name: string; readonly path: string }): JSX.Element {
  const id = `menu-${name.toLowerCase()}`
  return (
    <div class="menu-group">
      <p id={id}>{name}</p>
      <ul aria-labelledby={id}>
        {pages
          .filter(({ group }) => group === name)
          .map(({ path: to, title }) => (
            <li key={to}>
              <a href={home + to} aria-current={isWithin(path, home + to) ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
      </ul>
    </div>
  )
}

function isWithin(path: string, page: string): boolean {
  if (page === home) return path === home || `${path}/` === home
  return path === page || path.startsWith(`${page}/`)
}
