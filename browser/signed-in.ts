import type { Page } from 'playwright-core'

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
