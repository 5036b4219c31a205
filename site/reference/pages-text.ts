import { anchorOf } from '../markdown/heading-anchors.ts'
import { docText } from './doc-text.ts'
import { commentOf, memberTable, membersIn } from './member-table.ts'
import type { Links } from './member-table.ts'
import { kinds } from './model.ts'
import type { Node, Type } from './model.ts'
import { inOrder, pageOf } from './pages.ts'
import type { Page } from './pages.ts'
import { nodeOwners } from './public-names.ts'
import type { Named } from './public-names.ts'
import { codeStyle, declarationText, typeText } from './type-text.ts'

interface Section {
  readonly title: string
  readonly about?: string
  readonly holds: (named: Named) => boolean
}

const isType = ({ node: { kind } }: Named): boolean =>
  kind === kinds.interface || kind === kinds.typeAlias || kind === kinds.class

/** Sections of a page, in their order. */
const sections: readonly Section[] = [
  { title: 'Functions', holds: ({ node }) => node.kind === kinds.function },
  { title: 'Constants', holds: ({ node }) => node.kind === kinds.variable },
  { title: 'Types', holds: (named) => named.exported && isType(named) },
  {
    title: 'Types without an export',
    about: 'These types are part of the types above. The package has no names for them to import.',
    holds: (named) => !named.exported && isType(named),
  },
]

interface Placed {
  readonly named: Named
  readonly page: Page
  readonly section: Section
  readonly anchor: string
}

const sortKey = ({ node }: Named): string => `${node.name.toLowerCase()} ${node.name}`

const byName = (a: Named, b: Named): number => (sortKey(a) < sortKey(b) ? -1 : 1)

/** Names in the order of their page, with anchors as the site gives them: those that repeat one get a number. */
function placesOn(page: Page, names: readonly Named[]): readonly Placed[] {
  const taken = new Map<string, number>()
  const free = (text: string): string => {
    const anchor = anchorOf(text)
    const times = taken.get(anchor) ?? 0
    taken.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
  free(page.title)
  return sections.flatMap((section) => {
    const held = names.filter(section.holds).toSorted(byName)
    if (held.length > 0) free(section.title)
    return held.map((named) => ({ named, page, section, anchor: free(named.node.name) }))
  })
}

function extendedText(links: Links, node: Node): readonly string[] {
  const shown = (node.extendedTypes ?? []).filter(({ name }) => name !== 'Error')
  if (shown.length === 0) return []
  const parts = shown.map((type) => {
    const text = typeText({ ...codeStyle, width: Number.POSITIVE_INFINITY }, type)
    const href = typeof type.target === 'number' ? links.hrefOf(type.target) : undefined
    return href === undefined ? `\`${text}\`` : `[\`${text}\`](${href})`
  })
  return [`Extends ${parts.join(', ')}.`]
}

/** Own members; those of a type with a place of its own stand there. */
function ownMembers(links: Links, node: Node): readonly Node[] {
  const isLinked = (type: Type): boolean => typeof type.target === 'number' && links.hrefOf(type.target) !== undefined
  const whole = !(node.extendedTypes ?? []).every(isLinked)
  return (node.children ?? []).filter(
    ({ kind, inheritedFrom, name }) => kind !== kinds.constructor && !name.startsWith('[') && (whole || !inheritedFrom),
  )
}

/** Links to the types that a declaration names. */
function namedTypes(links: Links, node: Node): readonly string[] {
  const found = new Map<string, string>()
  const style = {
    ...codeStyle,
    named: (name: string, target: number | undefined) => {
      const href = target === undefined ? undefined : links.hrefOf(target)
      if (href !== undefined) found.set(name, `[\`${name}\`](${href})`)
      return name
    },
  }
  declarationText(node, style)
  found.delete(node.name)
  return found.size === 0 ? [] : [`Types: ${[...found.values()].join(', ')}`]
}

/** Members of the options that a function declares in place. */
function optionTables(links: Links, { signatures = [] }: Node): readonly string[] {
  return signatures.flatMap(({ parameters = [] }) =>
    parameters.flatMap(({ type }) => memberTable(links, membersIn(type))),
  )
}

function blocksOf(links: Links, node: Node): readonly string[] {
  const code = declarationText(node).map((text) => `\`\`\`ts\n${text}\n\`\`\``)
  const members = memberTable(links, node.children ? ownMembers(links, node) : membersIn(node.type))
  return [
    ...code,
    docText(commentOf(node), links.linked),
    ...(code.length === 0 ? [] : namedTypes(links, node)),
    ...extendedText(links, node),
    ...members,
    ...optionTables(links, node),
  ].filter((block) => block !== '')
}

/** Names that another entry exports, too. */
function sharedText(links: Links, names: readonly Named[]): readonly string[] {
  const shared = names.filter(({ node }) => node.kind === kinds.reference).toSorted(byName)
  const items = shared.flatMap(({ node }) => {
    const href = links.hrefOf(node.target ?? -1)
    return href === undefined ? [] : [`[\`${node.name}\`](${href})`]
  })
  return items.length === 0 ? [] : [`Names that \`prehend\` or another entry exports as well: ${items.join(', ')}.`]
}

function importText(names: readonly Named[]): string {
  const entries = [...new Set(names.map(({ entry }) => `\`${entry.name}\``))]
  return `Import from ${entries.join(', ')}.`
}

function pageText(page: Page, names: readonly Named[], places: readonly Placed[], links: Links): string {
  const body = sections.flatMap((section) => {
    const held = places.filter((place) => place.section === section)
    if (held.length === 0) return []
    const about = section.about === undefined ? [] : [section.about]
    return [
      `## ${section.title}`,
      ...about,
      ...held.flatMap(({ named }) => [`### ${named.node.name}`, ...blocksOf(links, named.node)]),
    ]
  })
  const front = '---\npageClass: typescript-api\n---'
  return `${[front, `# ${page.title}`, page.about, importText(names), ...sharedText(links, names), ...body].join('\n\n')}\n`
}

export interface WrittenPage extends Page {
  readonly text: string
}

/** All pages, in the order of the sidebar. */
export function referencePages(names: readonly Named[]): readonly WrittenPage[] {
  const bySlug = Map.groupBy(names, (named) => pageOf(named).slug)
  const pages = inOrder([...new Map(names.map((named) => [pageOf(named).slug, pageOf(named)])).values()])
  const places = new Map(pages.map((page) => [page.slug, placesOn(page, bySlug.get(page.slug) ?? [])]))
  const all = [...places.values()].flat()
  const placeOf = new Map(all.map((place) => [place.named.node.id, place]))
  const ownerOf = nodeOwners(names)
  return pages.map((page) => {
    const href = (place: Placed | undefined): string | undefined =>
      place && `${place.page.slug === page.slug ? '' : `${place.page.slug}.md`}#${place.anchor}`
    const links: Links = {
      hrefOf: (target) => href(placeOf.get(ownerOf.get(target) ?? -1)),
      linked: (name) => {
        const found = all.filter(({ named }) => named.node.name === name)
        return href(found.find((place) => place.page.slug === page.slug) ?? found.find(({ named }) => named.exported))
      },
    }
    return { ...page, text: pageText(page, bySlug.get(page.slug) ?? [], places.get(page.slug) ?? [], links) }
  })
}
