import { siteLink } from './repository-links.ts'
import type { Repository } from './repository-links.ts'

interface Token {
  readonly type: string
  readonly content: string
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface State {
  readonly tokens: readonly Token[]
  readonly env: { readonly relativePath?: string }
}

/** The part of markdown-it that is used here. */
export interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
  readonly renderer: { readonly rules: { text?: ((tokens: readonly Token[], index: number) => string) | undefined } }
  readonly utils: { escapeHtml(text: string): string }
}

/** Leads links to files outside the pages to the repository, and keeps Vue from reading `{{` in prose as code. */
export function addRules(markdown: MarkdownIt, repository: Repository): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')
    for (const link of links)
      link.attrSet('href', siteLink(repository, env.relativePath ?? '', link.attrGet('href') ?? ''))
  })
  markdown.renderer.rules.text = (tokens, index) =>
    markdown.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '&#123;&#123;')
}
