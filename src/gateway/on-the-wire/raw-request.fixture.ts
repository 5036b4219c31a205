import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface RawRequest {
  readonly method?: string
  readonly path: string
  /** Any header, also those that a `fetch` keeps to itself. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request as it is: no header is added but what frames it, and the path is not tidied. */
export function rawRequest(
  url: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  const setHost = !Object.keys(headers).some((name) => name.toLowerCase() === 'host')
  return new Promise((done, failed) => {
    const asked = request({
      hostname: hostname.replaceAll(/[[\]]/g, ''),
      port,
      method,
      path,
      headers,
      setHost,
      agent: false,
    })
    asked.on('error', failed)
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', failed)
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on('upgrade', (response) => done({ status: response.statusCode ?? 0, headers: response.headers, text: '' }))
    asked.end(body)
  })
}
