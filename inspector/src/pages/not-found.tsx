import type { JSX } from 'preact'
import { home } from '../address.ts'
import { Empty } from '../parts/states.tsx'

export function NotFound(): JSX.Element {
  return (
    <div class="page">
      <Empty title="There is no such page">
        <p>
          Begin at the <a href={home}>overview</a>.
        </p>
      </Empty>
    </div>
  )
}
