/** What a built page offers and asks for. */
export interface HtmlPage {
  readonly anchors: ReadonlySet<string>
  /** Addresses that a reader may follow. */
  readonly links: readonly string[]
  /** Addresses that a browser loads by itself: scripts, styles, fonts, pictures. */
  readonly loads: readonly string[]
  /** Addresses in the sidebar. */
  readonly sidebar: readonly string[]
  readonly contentPolicy: string | undefined
}

const entities: Readonly<Record<string, string>> = { 'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', '#39': "'" }

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
}

/** Values of an attribute of tags with one of these names; text in code is escaped and therefore no tag. */
function valuesOf(html: string, tags: string, attribute: string): readonly string[] {
  const found = html.matchAll(new RegExp(`<(?:${tags})\\s(?:[^<>]*?\\s)?${attribute}="([^"]*)"`, 'g'))
  return Array.from(found, ([, value = '']) => decoded(value))
}

const pictures = (sets: readonly string[]): readonly string[] =>
  sets.flatMap((set) => set.split(',').map((entry) => entry.trim().split(/\s+/)[0] ?? ''))

export function readHtml(html: string): HtmlPage {
  const sidebar = /<aside class="VPSidebar"[\s\S]*?<\/aside>/.exec(html)?.[0] ?? ''
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
  return {
    anchors: new Set(valuesOf(html, '[a-z][\\w-]*', 'id')),
    links: valuesOf(html, 'a|area', 'href'),
    loads: [
      ...valuesOf(html, 'script|img|iframe|source|video|audio|embed|track', 'src'),
      ...valuesOf(html, 'link|use', 'href'),
      ...pictures(valuesOf(html, 'img|source', 'srcset')),
    ],
    sidebar: valuesOf(sidebar, 'a', 'href'),
    contentPolicy: policy === undefined ? undefined : decoded(policy),
  }
}

/** Addresses that a style sheet loads. */
export function readCss(css: string): readonly string[] {
  const found = css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]*))\s*\)|@import\s+["']([^"']+)["']/g)
  return Array.from(found, ([, double, single, bare, imported]) => double ?? single ?? bare ?? imported ?? '')
}
