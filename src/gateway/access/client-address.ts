import { BlockList, isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { perObject } from '../../core/index.ts'

export const trustedProxies = z
  .array(z.string().refine((text) => networkOf(text) !== undefined, 'is no address and no network, such as 10.0.0.0/8'))
  .default([])
  .describe(
    'Proxies before the gateway, by address or network. From them alone `x-forwarded-for` says which address asks, for the log and the audit log. Default: none.',
  )

interface Network {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly prefix: number
}

function networkOf(text: string): Network | undefined {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return undefined
  const most = version === 4 ? 32 : 128
  const prefix = bits === undefined ? most : Number(bits)
  return prefix > most ? undefined : { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix }
}

/** What of a request says who has sent it. */
export type Sender = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/**
 * Tells the address that a request comes from: that of the connection, or, where this is a trusted proxy, the last one in `x-forwarded-for`
 * that is none. What stands before it was written by whoever asks, and proves nothing.
 */
export const addressReader = perObject((config: { readonly trustedProxies: readonly string[] }) => {
  const isTrusted = trustOf(config.trustedProxies)
  return ({ socket, headers }: Sender): string => {
    let from = plain(socket.remoteAddress ?? '')
    if (!isTrusted(from)) return from
    const written = headers['x-forwarded-for']
    const hops = (typeof written === 'string' ? written : (written ?? []).join(',')).split(',')
    for (const hop of hops.toReversed()) {
      const address = plain(hop.trim())
      if (isIP(address) === 0) return from
      from = address
      if (!isTrusted(address)) return from
    }
    return from
  }
})

function trustOf(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const { address, family, prefix } of proxies.flatMap((text) => networkOf(text) ?? []))
    list.addSubnet(address, prefix, family)
  return (address) =>
    proxies.length > 0 && isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** Without a port and brackets, and an IPv4 address as such. */
function plain(text: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}
