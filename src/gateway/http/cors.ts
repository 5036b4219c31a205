import type { IncomingMessage, ServerResponse } from 'node:http'

/** Lets a foreign page read the answer, whatever it will be. */
export function showTo(page: string, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', page)
  response.setHeader('access-control-expose-headers', '*')
  response.setHeader('vary', 'origin')
}

/** Whether a browser asks on behalf of a page what that page may send. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Lets it send anything: who may send at all has been decided. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const wanted = headers['access-control-request-headers']
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
    'access-control-max-age': '600',
  })
  response.end()
}
