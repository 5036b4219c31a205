import { sectionMark } from '../../defense/index.ts'
import { sectionWords } from './headers-markup.ts'
import type { Block, Markup } from './markup.ts'

/** Sections between marks that nobody can guess; what is in them is written as before. */
export function boundedMarkup(markup: Markup, boundary: string): Markup {
  const mark = (name: string) => sectionMark(sectionWords(name).replaceAll(' ', '_'), boundary)
  return {
    ...markup,
    open: (block: Block) => mark(block).begin + markup.open(block),
    close: (block: Block) => markup.close(block) + mark(block).end,
    openSection: (section) => mark(`context ${section}`).begin + markup.openSection(section),
    closeSection: (section) => markup.closeSection(section) + mark(`context ${section}`).end,
  }
}
