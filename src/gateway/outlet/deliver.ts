import { sendBody } from './respond.ts'
import type { Client } from './client.ts'
import { deliverStream } from './deliver-stream.ts'
import { bodyReport, filterBody } from './filter-body.ts'
import { filterChain } from './filter-chain.ts'
import type { FilterChain } from './filter-chain.ts'
import { readOrPass } from './reply.ts'
import type { Reply, ReplyBody, ReplyEnd, UnreadBody } from './reply.ts'
import { encodedEvents, writeHead, writeOut } from './write-out.ts'

/** The only way to a client: the reply, its texts filtered, the bytes as they came where no filter wants to see them. */
export async function deliver(client: Client, reply: Reply): Promise<ReplyEnd> {
  const chain = filterChain(reply.filters, client.skipped)
  if (reply.form === 'stream') return deliverStream(client, reply, chain)
  if (reply.form === 'raw' && !chain) return passOn(client, reply)
  const body = await readOrPass(reply)
  return 'problem' in body ? passUnread(client, reply, body) : sendRead(client, reply, { ...body, chain })
}

interface ReadReply extends ReplyBody {
  readonly chain: FilterChain | undefined
}

async function sendRead(client: Client, reply: Reply, { text, bytes, chain }: ReadReply): Promise<ReplyEnd> {
  const { status } = reply
  const { codec, response } = client
  const { usage, failure } = bodyReport(codec, reply, text)
  const sent = chain ? await filterBody(codec, reply, { chain, text }) : (bytes ?? text)
  client.ear?.body(typeof sent === 'string' ? sent : text)
  sendBody(response, { status, headers: { ...reply.headers, ...client.headers }, body: sent })
  return { status, ...(usage && { usage }), ...(failure && { failure }) }
}

/** What cannot be read goes on past filters that fail open; one that fails closed lets nothing pass. */
async function passUnread(client: Client, reply: Reply, { problem, pieces }: UnreadBody): Promise<ReplyEnd> {
  for (const { name, failure } of reply.filters) {
    if (failure === 'open') client.skipped(name, problem)
    else {
      await pieces[Symbol.asyncIterator]().return?.()
      throw problem
    }
  }
  return passOn(client, { ...reply, pieces })
}

async function passOn({ response, headers, signal }: Client, reply: Reply): Promise<ReplyEnd> {
  writeHead(response, reply.status, { ...reply.headers, ...headers })
  // As with streams: with the first bytes where those are there already.
  setImmediate(() => response.flushHeaders())
  for await (const { bytes, events } of reply.pieces) await writeOut(response, bytes ?? encodedEvents(events), signal)
  response.end()
  return endOf(reply)
}

function endOf({ status, report }: Reply): ReplyEnd {
  const usage = report?.().usage
  return { status, ...(usage && { usage }) }
}
