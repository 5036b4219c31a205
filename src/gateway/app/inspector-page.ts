import { pagePath } from '../api/own-paths.ts'
import type { InspectorPage } from './inspector-files.ts'
import { indexFile } from './inspector-files.ts'
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'

export interface InspectorPageOptions {
  readonly page: InspectorPage
  /** Called when somebody comes: questions follow. */
  readonly opened: () => void
}

/** Serves the page below `/inspector/`, to whoever may reach the gateway: it holds no data, and asks for what it shows. */
export function addInspectorPage(app: Hono<{ Bindings: HttpBindings }>, { page, opened }: InspectorPageOptions): void {
  app.get('/', (c) => c.redirect(base, 302))
  app.on('GET', [pagePath, `${base}*`], (c) => {
    const path = c.req.path.slice(base.length)
    const isAsset = path.startsWith('assets/')
    const file = page.get(path) ?? (isAsset ? undefined : page.get(indexFile))
    if (!file) return c.notFound()
    if (!isAsset) opened()
    const takesGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
    return c.body(takesGzip ? file.gzip : file.bytes, 200, {
      'content-type': file.type,
      'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(takesGzip && { 'content-encoding': 'gzip' }),
      'vary': 'accept-encoding',
      ...safety,
    })
  })
}

const base = `${pagePath}/`

/**
 * Nothing but files of the page itself runs or styles, nothing is asked of another host, and no other page may hold this
 * one. Pictures of a conversation stand in it as data.
 */
const safety: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}
