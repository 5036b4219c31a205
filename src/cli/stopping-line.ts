/** What whoever stops a gateway waits for. */
export function stoppingLine(underway: number, drainMs: number): string {
  const requests = underway === 1 ? 'a request' : `${underway} requests`
  return `prehend: waiting for ${requests} under way, ${Math.ceil(drainMs / 1000)} s at most; a second signal ends at once`
}
