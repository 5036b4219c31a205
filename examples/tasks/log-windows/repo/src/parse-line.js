const form = /^(\d+\.\d+\.\d+\.\d+) \[([^\]]+)Z\] "(\w+) (\S+) HTTP\/1\.1" (\d+) (\d+) (\d+)ms/

export function parseLine(line) {
  const found = form.exec(line)
  if (found === null) return undefined
  const [, address, time, method, path, status, size, duration] = found
  return {
    address,
    timeMs: Date.parse(time),
    method,
    path,
    status: Number(status),
    size: Number(size),
    durationMs: Number(duration),
  }
}
