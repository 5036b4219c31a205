import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { addressReader } from './client-address.ts'

function addressOf(trustedProxies: readonly string[], remoteAddress: string, forwarded?: string): string {
  const config = parseConfig({ trustedProxies: [...trustedProxies] })
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return addressReader(config)({ socket: { remoteAddress }, headers })
}

interface Asked {
  readonly from?: string
  readonly named?: string
  readonly is: string
  readonly proxies?: readonly string[]
}

const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

it.each([
  [
    'without a trusted proxy, that of the connection',
    { from: '203.0.113.9', named: '198.51.100.1', is: '203.0.113.9', proxies: [] },
  ],
  [
    'from others than a trusted proxy, that of the connection',
    { from: '203.0.113.9', named: '198.51.100.1', is: '203.0.113.9' },
  ],
  ['from a trusted proxy, the one that it names', { named: '198.51.100.1', is: '198.51.100.1' }],
  ['the last one that is no trusted proxy', { named: '1.1.1.1, 198.51.100.1, 192.0.2.7', is: '198.51.100.1' }],
  ['with a port', { named: '198.51.100.1:4711', is: '198.51.100.1' }],
  ['of IPv6', { from: 'fd00::1', named: '[2001:db8::5]:443', is: '2001:db8::5' }],
  ['mapped into IPv6', { from: '::ffff:10.1.2.3', named: '::ffff:198.51.100.1', is: '198.51.100.1' }],
  ['the proxy where it names none', { is: '10.1.2.3' }],
  ['the proxy where what it passes on is no address', { named: 'unknown', is: '10.1.2.3' }],
  ['the first proxy where all are trusted', { named: '10.9.9.9, 192.0.2.7', is: '10.9.9.9' }],
])('the address of a request is %s', (_, asked: Asked) => {
  expect(addressOf(asked.proxies ?? proxies, asked.from ?? '10.1.2.3', asked.named)).toBe(asked.is)
})

it.each(['10.0.0.0/33', '10.0.0', 'proxy.example', '::1/129', '', '10.0.0.1/'])('%s is no proxy', (text) => {
  expect(() => parseConfig({ trustedProxies: [text] })).toThrow('trustedProxies[0]: is no address and no network')
})
