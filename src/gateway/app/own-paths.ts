/** Where the routes lie that we answer ourselves; nothing below them goes to a provider. */
const ownPaths = [
  '/v1/compile',
  '/v1/packs',
  '/v1/sessions',
  '/v1/stats',
  '/v1/search',
  '/v1/policies',
  '/v1/events',
  '/v1/health',
  '/v1/replays',
  '/health',
  '/metrics',
  '/openapi.json',
  '/inspector',
]

export function isOwnPath(path: string): boolean {
  return ownPaths.some((own) => path === own || path.startsWith(`${own}/`))
}
