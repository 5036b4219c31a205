// The least a proxy can do: a bare server, undici's dispatch, bytes in and out.
import { createServer } from 'node:http'
import { Pool } from 'undici'

const [, , port, origin = ''] = process.argv
const pool = new Pool(origin, { pipelining: 1 })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (data: Buffer) => void chunks.push(data))
  request.on('end', () => {
    const { 'host': _host, 'connection': _connection, 'content-length': _length, ...headers } = request.headers
    const options = { path: request.url ?? '/', method: 'POST' as const, headers, body: Buffer.concat(chunks) }
    pool.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart(_controller, status, responseHeaders) {
        response.writeHead(status, responseHeaders as Record<string, string>)
      },
      onResponseData: (_controller, data) => void response.write(data),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    })
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
