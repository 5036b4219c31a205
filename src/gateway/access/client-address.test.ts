import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { addressReader } from './client-address.ts'

function addressOf(trustedProxies: readonly string[], remoteAddress: string, forwarded?: string): string {
  const config = parseConfig({ trustedProxies: [...trustedProxies] })
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return addressReader(config)({ socket: { remoteAddress }, headers })
}

const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

it.each([
  ['without a trusted proxy, that of the connection', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['from others than a trusted proxy, that of the connection', proxies, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['from a trusted proxy, the one that it names', proxies, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['the last one that is no trusted proxy', proxies, '10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
  ['with a port', proxies, '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['of IPv6', proxies, 'fd00::1', '[2001:db8::5]:443', '2001:db8::5'],
  ['mapped into IPv6', proxies, '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
  ['the proxy where it names none', proxies, '10.1.2.3', undefined, '10.1.2.3'],
  ['the proxy where what it passes on is no address', proxies, '10.1.2.3', 'unknown', '10.1.2.3'],
  ['the first proxy where all are trusted', proxies, '10.1.2.3', '10.9.9.9, 192.0.2.7', '10.9.9.9'],
])('the address of a request is %s', (_, trusted, remote, forwarded, address) => {
  expect(addressOf(trusted, remote, forwarded)).toBe(address)
})

it.each(['10.0.0.0/33', '10.0.0', 'proxy.example', '::1/129', '', '10.0.0.1/'])('%s is no proxy', (text) => {
  expect(() => parseConfig({ trustedProxies: [text] })).toThrow('trustedProxies[0]: is no address and no network')
})
