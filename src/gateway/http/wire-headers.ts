import type { IncomingHttpHeaders } from 'node:http'
import type { WireHeaders } from '../../core/index.ts'

/** Headers as codecs read them: one text a name. */
export function wireHeaders(headers: IncomingHttpHeaders): WireHeaders {
  let isPlain = true
  for (const name of Object.keys(headers)) if (typeof headers[name] === 'object') isPlain = false
  if (isPlain) return headers as WireHeaders
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}
