import { contentPolicy } from './content-policy.ts'
import { readCss, readHtml } from './read-html.ts'
import type { HtmlPage } from './read-html.ts'

/** Files of a built site by their path, with the text of pages and style sheets; `undefined` for all others. */
export type BuiltSite = ReadonlyMap<string, string | undefined>

export interface Crawled {
  readonly pages: number
  /** Links between pages, and to anchors. */
  readonly links: number
  readonly faults: readonly string[]
}

/** Any address; requests to another host are found by comparing with it. */
const origin = 'http://site.invalid'
/** Shown for an unknown address; it has no place in the sidebar. */
const notFound = '404.html'

interface Target {
  readonly file: string
  readonly anchor: string
}

/** The file that a static server answers with, or undefined where the address leads elsewhere. */
function targetOf(site: BuiltSite, base: string, from: string, address: string): Target | undefined {
  const url = new URL(address, `${origin}${base}${from}`)
  if (url.origin !== origin) return undefined
  const path = decodeURIComponent(url.pathname)
  const below = path.startsWith(base) ? path.slice(base.length) : `outside ${base}: ${path}`
  const tried = [below, `${below}index.html`, `${below}.html`].filter((file) => !file.endsWith('/'))
  return { file: tried.find((file) => site.has(file)) ?? below, anchor: decodeURIComponent(url.hash.slice(1)) }
}

function linkFault(pages: ReadonlyMap<string, HtmlPage>, site: BuiltSite, target: Target): string | undefined {
  if (!site.has(target.file)) return 'leads nowhere'
  const page = pages.get(target.file)
  if (target.anchor === '' || page === undefined || page.anchors.has(target.anchor)) return undefined
  return `names an anchor that ${target.file} does not have`
}

function loadFault(site: BuiltSite, base: string, from: string, address: string): string | undefined {
  if (address.startsWith('data:')) return undefined
  const target = targetOf(site, base, from, address)
  if (!target) return `${from} loads ${address} from another host`
  return site.has(target.file) ? undefined : `${from} loads ${address}, which does not exist`
}

function sidebarFaults(
  name: string,
  page: HtmlPage,
  fileOf: (address: string) => string | undefined,
): readonly string[] {
  if (name === notFound) return []
  const times = page.sidebar.filter((address) => fileOf(address) === name).length
  if (times === 1) return []
  return [`${name} stands ${times} times in the sidebar, not once; see site/navigation/sections.ts`]
}

/** Checks each link, anchor, picture, script, style and sidebar of a built site; `base` is the path that it is served below. */
export function crawl(site: BuiltSite, base = '/'): Crawled {
  const pages = new Map(
    [...site].flatMap(([name, text]) => (name.endsWith('.html') ? [[name, readHtml(text ?? '')] as const] : [])),
  )
  const faults: string[] = []
  let links = 0
  for (const [name, page] of pages) {
    for (const address of page.links) {
      const target = targetOf(site, base, name, address)
      if (!target) continue
      links += 1
      const fault = linkFault(pages, site, target)
      if (fault !== undefined) faults.push(`${name}: the link ${address} ${fault}`)
    }
    faults.push(...page.loads.flatMap((address) => loadFault(site, base, name, address) ?? []))
    faults.push(...sidebarFaults(name, page, (address) => targetOf(site, base, name, address)?.file))
    if (page.contentPolicy !== contentPolicy) faults.push(`${name} does not carry the content policy of the site`)
  }
  for (const [name, css] of site)
    if (name.endsWith('.css'))
      faults.push(...readCss(css ?? '').flatMap((address) => loadFault(site, base, name, address) ?? []))
  return { pages: pages.size, links, faults: [...new Set(faults)] }
}
