const form =
  /^(\S+) \[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))\] "([A-Z]+) ((?:[^"\\]|\\.)+) HTTP\/[\d.]+" (\d{3}) (\d+|-) (?:(\d+)ms|(\d+(?:\.\d+)?)s)$/

export function parseLine(line) {
  const found = form.exec(line)
  if (found === null) return undefined
  const [, address, time, method, path, status, size, milliseconds, seconds] = found
  return {
    address,
    timeMs: Date.parse(time),
    method,
    path: path.replaceAll(/\\(.)/g, '$1'),
    status: Number(status),
    size: size === '-' ? 0 : Number(size),
    durationMs: milliseconds === undefined ? Math.round(1000 * Number(seconds)) : Number(milliseconds),
  }
}
