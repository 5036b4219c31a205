import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where the browser is; undefined where there is none. */
export function chromiumPath(): string | undefined {
  return [process.env['PREHEND_CHROMIUM'] ?? '', ...places].find((place) => existsSync(place))
}
