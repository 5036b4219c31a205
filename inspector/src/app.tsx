import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { pages } from './pages/pages.ts'
import { NotFound } from './pages/not-found.tsx'
import { Menu } from './menu.tsx'
import { SearchBox } from './parts/search-box.tsx'
import { ThemeSwitch } from './parts/theme-switch.tsx'
import { home } from './address.ts'

export function App(): JSX.Element {
  return (
    <LocationProvider scope={/^\/inspector(?:\/|$)/}>
      <Shell>
        <Router>
          {pages.map(({ path, page }) => (
            <Route key={path} path={home + path} component={page} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Shell>
    </LocationProvider>
  )
}

function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const { path } = useLocation()
  useEffect(() => {
    // Whoever reads with the keyboard starts at the top of what has changed.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <header class="side">
        <a class="brand" href={home}>
          <img src={`${home}icon.svg`} width="20" height="20" alt="" />
          Prehend
        </a>
        <Menu />
        <SearchBox />
        <div class="side-end">
          <ThemeSwitch />
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
