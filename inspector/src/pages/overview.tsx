import type { JSX } from 'preact'

export function Overview(): JSX.Element {
  return (
    <div class="page">
      <header>
        <h1>Overview</h1>
      </header>
    </div>
  )
}
