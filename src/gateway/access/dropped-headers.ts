import { z } from 'zod'
import { perObject } from '../../core/index.ts'

/** Keys, and the account or project that a key's request is charged to. */
export const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
])

/**
 * Headers that stay here unless `forwardHeaders` names them: they tell of people and of the network in front of the gateway, and some
 * hold a token that is good elsewhere. A `*` at the end stands for any characters.
 */
export const droppedHeaders: readonly (readonly [names: readonly string[], about: string])[] = [
  [['cookie'], 'sessions of a browser'],
  [['origin', 'referer'], 'the page that asks'],
  [
    ['forwarded', 'via', 'x-forwarded-*', 'x-original-*', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip'],
    'addresses and names on the way from the client',
  ],
  [
    [
      'true-client-ip',
      'cf-connecting-*',
      'cf-ip*',
      'fastly-client-ip',
      'fly-client-ip',
      'x-nf-client-connection-ip',
      'x-vercel-*',
      'x-azure-*',
      'cloudfront-viewer-*',
    ],
    'the address and place of the client, by a CDN',
  ],
  [
    ['x-request-id', 'x-correlation-id', 'baggage', 'x-b3-*', 'x-cloud-trace-context'],
    'names of requests in your network',
  ],
  [['x-envoy-*'], 'Envoy: routes, retries and names of services'],
  [['x-auth-request-*'], 'oauth2-proxy: user, mail, groups, access token'],
  [['x-amzn-oidc-*', 'x-amzn-mtls-*'], 'AWS load balancer: identity, access token, client certificate'],
  [['cf-access-*'], 'Cloudflare Access: mail, signed identity, secrets of services'],
  [['x-goog-iap-*', 'x-goog-authenticated-user-*', 'x-serverless-authorization'], 'Google IAP and Cloud Run'],
  [['x-ms-token-*', 'x-ms-client-principal*'], 'Azure App Service: identity and tokens of its providers'],
  [['remote-*', 'x-remote-*'], 'Authelia, Kubernetes and proxies by the CGI convention'],
  [['x-webauth-*'], 'Grafana and proxies in front of it'],
  [['x-authentik-*'], 'authentik'],
  [['x-pomerium-*'], 'Pomerium'],
  [['x-vouch-*'], 'Vouch Proxy'],
  [
    ['x-userinfo', 'x-id-token', 'x-consumer-*', 'x-credential-identifier', 'x-authenticated-*'],
    'Kong and APISIX: user, consumer, tokens',
  ],
  [['x-appengine-*'], 'Google App Engine: user and address'],
  [
    ['x-jwt-assertion', 'teleport-jwt-assertion', 'impersonate-*'],
    'signed identities of WSO2 and Teleport; Kubernetes',
  ],
  [['tailscale-*'], 'Tailscale Serve: name, login, picture'],
  [['x-ssl-client-*', 'ssl-client-*', 'x-client-cert*', 'x-arr-clientcert'], 'certificates of clients'],
]

const dropsByDefault = matching(droppedHeaders.flatMap(([names]) => names))

/** A header, or the beginning of headers with a `*` behind it. A star alone would drop what providers need. */
const headerName = z
  .string()
  .regex(/^[\w!#$%&'.^`|~+-]+\*?$/, 'is not the name of a header, such as "x-team" or "x-team-*"')
  .toLowerCase()

export const forwardHeaders = z
  .array(
    headerName.refine(
      (name) => !credentialHeaders.has(name),
      'holds a key, which `upstreams.NAME.credentials` is about',
    ),
  )
  .default([])
  .describe(
    'Headers of clients that go on to providers though they are dropped by default, such as `x-request-id` or `x-envoy-*`.',
  )

const neededByProviders = ['content-type', 'anthropic-version']

export const dropHeaders = z
  .array(
    headerName.refine(
      (name) => !neededByProviders.some(matching([name])),
      `is no header to drop: providers need ${neededByProviders.join(' and ')}`,
    ),
  )
  .default([])
  .describe(
    'More headers of clients that do not go on to providers, by name or as `prefix-*`; goes before `forwardHeaders`.',
  )

interface HeaderSettings {
  readonly forwardHeaders: readonly string[]
  readonly dropHeaders: readonly string[]
}

/** Tells whether a configuration keeps a header of a client, by its name in lower case, from providers. */
export const dropsHeader = perObject((settings: HeaderSettings): ((name: string) => boolean) => {
  const isDropped = matching(settings.dropHeaders)
  const isForwarded = matching(settings.forwardHeaders)
  return (name) => isDropped(name) || (dropsByDefault(name) && !isForwarded(name))
})

function matching(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')))
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return (name) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
}
