import type { ComponentChildren, JSX } from 'preact'

export interface FigureProps {
  readonly name: string
  readonly value: string
  readonly tone?: 'good' | 'bad' | undefined
  readonly note?: ComponentChildren
}

/** One figure with its name, and what it is measured against. */
export function Figure({ name, value, tone, note }: FigureProps): JSX.Element {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class={tone}>
        {value}
        {note !== undefined && <div class="note">{note}</div>}
      </dd>
    </div>
  )
}

export function Figures({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <dl class="figures">{children}</dl>
}
