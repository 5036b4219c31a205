import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromiumPath } from './chromium.ts'

/** A browser that talks to nobody but what it is told to open. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error('there is no chromium here; run: npm run -s browser')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A page, and what went wrong on it: errors, what its security policy has stopped, and what it asked of other hosts. */
export interface WatchedPage {
  readonly page: Page
  readonly problems: readonly string[]
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...options })
  const page = await context.newPage()
  const problems: string[] = []
  let host: string | undefined
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url().startsWith('data:')) return
    host ??= new URL(request.url()).host
    if (new URL(request.url()).host !== host) problems.push(`asked another host: ${request.url()}`)
  })
  return { page, problems }
}
