import type { ComponentChildren, JSX } from 'preact'
import { Term } from './term.tsx'

export interface FigureProps {
  readonly name: string
  readonly value: string
  readonly tone?: 'good' | 'bad' | undefined
  readonly note?: ComponentChildren
  /** As the glossary has it; the name by default. */
  readonly term?: string
}

/** One figure with its name, and what it is measured against. */
export function Figure({ name, value, tone, note, term = name }: FigureProps): JSX.Element {
  return (
    <div class="figure">
      <dt>
        <Term word={term}>{name}</Term>
      </dt>
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
