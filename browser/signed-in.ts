import type { Browser, Page } from 'playwright-core'
import { settle } from './accessibility-rules.ts'
import { openPage } from './pages.ts'

/** Who may ask the gateways that operators try: one may do everything, one reads its own tenant only. */
export const tokens = [
  {
    token: 'token-of-the-operator',
    tenant: 'acme',
    name: 'ops',
    team: 'web',
    scopes: ['inference', 'read', 'admin', 'operator'],
  },
  { token: 'token-of-a-reader', tenant: 'umbrella', name: 'reader', scopes: ['inference', 'read'] },
] as const

export const [{ token: operator }, { token: reader }] = tokens

/** The token is kept for the tab, as the form of the page would keep it. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => sessionStorage.setItem('prehend-token', value), token)
}

/** A page that is signed in, with all that it has asked for. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  token: string,
): Promise<{ page: Page; problems: readonly string[] }> {
  const { page, problems } = await openPage(browser)
  await signIn(page, token)
  await page.goto(url)
  await settle(page)
  return { page, problems }
}
