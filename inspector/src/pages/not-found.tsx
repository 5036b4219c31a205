import type { JSX } from 'preact'
import { home } from '../address.ts'
import { Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

export function NotFound(): JSX.Element {
  return (
    <div class="page">
      <Title text="There is no such page" />
      <Empty title="Its address may have been cut off">
        <p>
          Begin at the <a href={home}>overview</a>.
        </p>
      </Empty>
    </div>
  )
}
