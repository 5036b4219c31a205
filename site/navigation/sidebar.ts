import { sections } from './sections.ts'
import type { Entry, Section } from './sections.ts'

/** As VitePress takes it. */
export interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly items?: readonly SidebarItem[]
  readonly collapsed?: boolean
}

/** Text of each page of docs/ by its path below it. */
export type Pages = ReadonlyMap<string, string>

/** The first heading of a page as plain text, or undefined where it has none. */
export function titleOf(text: string): string | undefined {
  const heading = /^# (.+)$/m.exec(text)?.[1]
  return heading
    ?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
}

/** Pages of a folder: those named first in their order, the others by name. */
function inFolder(pages: Pages, folder: string, first: readonly string[] = []): readonly string[] {
  const all = [...pages.keys()].filter((page) => page.startsWith(`${folder}/`)).toSorted()
  const named = first.map((name) => `${folder}/${name}`).filter((page) => pages.has(page))
  return [...named, ...all.filter((page) => !named.includes(page))]
}

function itemOf(pages: Pages, page: string): SidebarItem {
  return { text: titleOf(pages.get(page) ?? '') ?? page, link: `/${page.replace(/(?:index)?\.md$/, '')}` }
}

/** A page, with those of the folder of its name under it. */
function withFolder(pages: Pages, page: string, first?: readonly string[]): readonly SidebarItem[] {
  if (!pages.has(page)) return []
  const items = inFolder(pages, page.replace(/\.md$/, ''), first).map((under) => itemOf(pages, under))
  const own = itemOf(pages, page)
  return [items.length === 0 ? own : { ...own, items, collapsed: true }]
}

function itemsOf(pages: Pages, entry: Entry): readonly SidebarItem[] {
  if (typeof entry === 'string') return withFolder(pages, entry)
  if ('page' in entry) return withFolder(pages, entry.page, entry.first)
  const items = inFolder(pages, entry.folder, entry.first).map((page) => itemOf(pages, page))
  if (entry.text === undefined || items.length === 0) return items
  return [{ text: entry.text, items, collapsed: true }]
}

/** The sidebar for the pages that exist. Sections without a page are left out; only the first is open at the start. */
export function sidebarOf(pages: Pages, listed: readonly Section[] = sections): readonly SidebarItem[] {
  return listed
    .map(({ text, entries }, index) => ({
      text,
      items: entries.flatMap((entry) => itemsOf(pages, entry)),
      collapsed: index > 0,
    }))
    .filter(({ items }) => items.length > 0)
}
