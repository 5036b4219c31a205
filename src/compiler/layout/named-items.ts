import type { Markup } from './markup.ts'

/** A markup in which items that others refer to stand with the label by which they do. */
export function namedItems(markup: Markup): Markup {
  return {
    ...markup,
    fragment(item, text, label) {
      const written = markup.fragment(item, text)
      return label === undefined || item.section === 'tools' ? written : named(written, label)
    },
  }
}

/** Behind the bullet, in the tag, or before what has neither. */
function named(written: string, label: string): string {
  const [tag] = /^<[a-z]+/.exec(written) ?? []
  if (tag !== undefined) return `${tag} id="${label}"${written.slice(tag.length)}`
  if (written.startsWith('- ')) return `- ${label} ${written.slice(2)}`
  return written.startsWith('-\n') ? `- ${label}${written.slice(1)}` : `[${label}]\n${written}`
}
