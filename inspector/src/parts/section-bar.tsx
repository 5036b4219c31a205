import type { JSX } from 'preact'
import { count } from '../format.ts'
import { sectionMeaning, sectionWords } from '../glossary.ts'

export interface Part {
  readonly section: string
  readonly tokens: number
}

const known = ['policy', 'role', 'task', 'tools', 'evidence', 'memory', 'situation', 'history', 'query']

export const sectionTone = (section: string): string => `var(--section-${known.includes(section) ? section : 'other'})`

/** Tokens of sections one beside the other, `share` of the room wide. */
export function SectionBar({
  parts,
  share = 1,
}: {
  readonly parts: readonly Part[]
  readonly share?: number
}): JSX.Element {
  const total = parts.reduce((sum, part) => sum + part.tokens, 0)
  const shown = parts.filter((part) => part.tokens > 0)
  const words = shown.map((part) => `${sectionWords(part.section)} ${count(part.tokens)}`).join(', ')
  return (
    <div class="bar" style={{ width: `${share * 100}%` }} role="img" aria-label={`tokens: ${words}`} title={words}>
      {shown.map(({ section, tokens }) => (
        <i key={section} style={{ width: `${(tokens / total) * 100}%`, background: sectionTone(section) }} />
      ))}
    </div>
  )
}

export function SectionLegend({ sections }: { readonly sections: readonly string[] }): JSX.Element {
  return (
    <div class="legend">
      {sections.map((section) => (
        <span key={section} title={sectionMeaning(section)}>
          <i style={{ background: sectionTone(section) }} />
          {sectionWords(section)}
        </span>
      ))}
    </div>
  )
}

/** The name of a section, in its tone. */
export function SectionName({ section }: { readonly section: string }): JSX.Element {
  return (
    <span class="section-name" title={sectionMeaning(section)}>
      <i style={{ background: sectionTone(section) }} />
      {sectionWords(section)}
    </span>
  )
}
