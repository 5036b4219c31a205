import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { examined, settle } from './accessibility-rules.ts'
import { openPage } from './pages.ts'
import { signIn } from './signed-in.ts'

/** Examines a page in both themes and at both widths: no rule of accessibility is broken, and nothing has to be scrolled sideways. */
export async function expectRulesKept(browser: Browser, url: string, token?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 400]) {
      const { page, problems } = await openPage(browser, { colorScheme, viewport: { width, height: 900 } })
      if (token !== undefined) await signIn(page, token)
      await page.goto(url)
      await settle(page)
      const { violations, isWider } = await examined(page)
      expect({ url, width, violations, isWider, problems }).toEqual({
        url,
        width,
        violations: [],
        isWider: false,
        problems: [],
      })
      await page.context().close()
    }
}
