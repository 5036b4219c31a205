// The least a proxy can do: a bare server, undici's dispatch, bytes in and out.
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { forward } from './forward.ts'

const [, , port, origin = ''] = process.argv
const pool = new Pool(origin, { pipelining: 1 })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (data: Buffer) => void chunks.push(data))
  request.on('end', () => {
    forward(pool, { request, response, body: Buffer.concat(chunks) })
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
