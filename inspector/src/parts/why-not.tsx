import type { JSX } from 'preact'
import { Empty } from './states.tsx'

/** Where texts are not kept: why, and how they would be. */
export function WhyNot({ reason }: { readonly reason: string }): JSX.Element {
  return (
    <section class="panel">
      <Empty title="There are no texts of this request">
        <p>{reason}</p>
      </Empty>
    </section>
  )
}
