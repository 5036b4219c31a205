import { existsSync, statSync } from 'node:fs'
import { posix, relative, resolve } from 'node:path'

export interface Repository {
  /** The checkout. */
  readonly root: string
  /** The folder of the pages, below the checkout. */
  readonly docs: string
  /** Where people read the repository, such as `https://github.com/prehend/prehend`. */
  readonly address: string
}

/** `git+https://…/x.git`, as package.json has it, to the address of its web page. */
export function webAddressOf(url: string): string {
  return url.replace(/^git\+/, '').replace(/\.git$/, '')
}

/**
 * What a page of the site shows for a link: links between pages stay, and links to any other file of the repository lead to its web page.
 * Throws for a file that does not exist; VitePress finds missing pages itself.
 */
export function siteLink(repository: Repository, page: string, href: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? []
  if (path === '' || path.startsWith('/') || /^[a-z][a-z+.-]*:/i.test(path)) return href
  const file = posix.normalize(posix.join(repository.docs, posix.dirname(page), decodeURI(path)))
  if (file.startsWith(`${repository.docs}/`) && file.endsWith('.md')) return href
  const absolute = resolve(repository.root, file)
  if (relative(repository.root, absolute).startsWith('..') || !existsSync(absolute))
    throw new Error(`${repository.docs}/${page} links to ${path}, which does not exist. Correct the link.`)
  const kind = statSync(absolute).isDirectory() ? 'tree' : 'blob'
  return `${repository.address}/${kind}/HEAD/${file.replace(/\/$/, '')}${rest}`
}
