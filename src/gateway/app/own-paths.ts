/** Where the routes lie that we answer ourselves; nothing below them goes to a provider. */
const ownPaths = ['/v1/compile', '/v1/packs', '/v1/sessions', '/v1/policies', '/v1/events', '/health', '/metrics']

export function isOwnPath(path: string): boolean {
  return ownPaths.some((own) => path === own || path.startsWith(`${own}/`))
}
