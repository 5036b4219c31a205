import { rewriteReply } from '../../codecs/index.ts'
import { sendBody } from '../http/respond.ts'
import type { Client } from './client.ts'
import { deliverStream } from './deliver-stream.ts'
import { filterRefusal } from './filter-refusal.ts'
import { filterChain } from './filter-chain.ts'
import type { FilterChain } from './filter-chain.ts'
import { bodyOf } from './reply.ts'
import type { Reply, ReplyEnd } from './reply.ts'
import { encodedEvents, writeHead, writeOut } from './write-out.ts'

/** The only way to a client: the reply, its texts filtered, the bytes as they came where no filter wants to see them. */
export async function deliver(client: Client, reply: Reply): Promise<ReplyEnd> {
  const chain = filterChain(reply.filters, client.skipped)
  if (reply.form === 'stream') return deliverStream(client, reply, chain)
  return reply.form === 'whole' ? deliverWhole(client, reply, chain) : deliverRaw(client, reply, chain)
}

async function deliverWhole(client: Client, reply: Reply, chain: FilterChain | undefined): Promise<ReplyEnd> {
  const { text, bytes } = await bodyOf(reply)
  const { usage, failure } = reply.report?.() ?? { usage: client.codec.usageOf(text) }
  const sent = chain ? await rewriteReply(client.codec.textPlaces, chain, text) : (bytes ?? text)
  const headers = { ...reply.headers, ...client.headers }
  sendBody(client.response, { status: reply.status, headers, body: sent })
  return { status: reply.status, ...(usage && { usage }), ...(failure && { failure }) }
}

async function deliverRaw(client: Client, reply: Reply, chain: FilterChain | undefined): Promise<ReplyEnd> {
  const { response } = client
  const { status } = reply
  const headers = { ...reply.headers, ...client.headers }
  const usage = reply.report?.().usage
  const end: ReplyEnd = { status, ...(usage && { usage }) }
  if (chain) {
    const body = await filterRefusal(chain, (await bodyOf(reply)).text)
    sendBody(response, { status, headers, body })
    return end
  }
  writeHead(response, status, headers)
  // As with streams: with the first bytes where those are there already.
  setImmediate(() => response.flushHeaders())
  for await (const { bytes, events } of reply.pieces)
    await writeOut(response, bytes ?? encodedEvents(events), client.signal)
  response.end()
  return end
}
