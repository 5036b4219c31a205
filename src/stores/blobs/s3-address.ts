/** Where an S3-compatible store keeps blobs, as a URL says it. */
export interface S3Address {
  /** Scheme, host and port that requests go to, such as `https://s3.example:9000`. */
  readonly origin: string
  readonly bucket: string
  /** What all keys begin with; empty, or with a `/` at its end. */
  readonly prefix: string
  readonly region?: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  /** The same place for messages, without credentials. */
  readonly shown: string
}

const remedy = 'Give one such as s3://HOST/BUCKET/PREFIX?region=REGION.'

/** What is wrong with an address, and what to do about it. Neither repeats what may be a secret. */
export interface AddressProblem {
  readonly problem: string
  readonly remedy: string
}

const parameters: ReadonlySet<string> = new Set(['region', 'endpoint', 'tls'])

/**
 * Reads `s3://[KEY:SECRET@]HOST[:PORT]/BUCKET[/PREFIX]`, or `s3://[KEY:SECRET@]BUCKET[/PREFIX]?endpoint=https://HOST`. `?region=` names the
 * region; `?tls=false` asks for plain HTTP.
 */
export function readS3Address(text: string): S3Address | AddressProblem {
  if (!text.startsWith('s3://') || !URL.canParse(text)) return { problem: 'is no address of an S3 bucket', remedy }
  const url = new URL(text)
  const given = url.searchParams
  const unknown = [...given.keys()].find((name) => !parameters.has(name))
  if (unknown !== undefined)
    return { problem: 'has an unknown query parameter', remedy: 'Use region, endpoint or tls, and no others.' }
  const origin = originOf(url, given)
  if (typeof origin !== 'string') return origin
  const parts = url.pathname.split('/').slice(1)
  const [bucket = '', ...rest] = given.has('endpoint') ? [url.hostname, ...parts] : parts
  const folders = rest.at(-1) === '' ? rest.slice(0, -1) : rest
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return { problem: 'names no valid bucket: 3 to 63 lower-case letters, digits, dots and hyphens', remedy }
  if (!folders.every((name) => /^[\w=-][\w.=-]*$/.test(name)))
    return { problem: 'has a prefix that is none', remedy: 'Use letters, digits, and . _ - = between slashes.' }
  const credentials = credentialsOf(url)
  if ('problem' in credentials) return credentials
  const prefix = folders.map((name) => `${name}/`).join('')
  const region = given.get('region') ?? ''
  const shown = `s3://${new URL(origin).host}/${bucket}${folders.map((name) => `/${name}`).join('')}`
  return { origin, bucket, prefix, shown, ...(region !== '' && { region }), ...credentials }
}

function originOf({ host }: URL, given: URLSearchParams): string | AddressProblem {
  const endpoint = given.get('endpoint')
  const tls = given.get('tls') ?? 'true'
  if (tls !== 'true' && tls !== 'false')
    return { problem: 'has a tls that is none', remedy: 'Give tls=false for plain HTTP, or leave it out.' }
  if (endpoint === null) {
    const origin = `${tls === 'true' ? 'https' : 'http'}://${host}`
    return host !== '' && URL.canParse(origin) ? new URL(origin).origin : { problem: 'names no host', remedy }
  }
  const problem = 'has an endpoint that is none'
  const example = { problem, remedy: 'Give one such as endpoint=https://s3.example, and no tls beside it.' }
  if (given.has('tls') || !/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) return example
  const { origin, pathname, search, username } = new URL(endpoint)
  return pathname === '/' && search === '' && username === '' ? origin : example
}

function credentialsOf({
  username,
  password,
}: URL): Pick<S3Address, 'accessKeyId' | 'secretAccessKey'> | AddressProblem {
  if (username === '' && password === '') return {}
  try {
    const [accessKeyId, secretAccessKey] = [decodeURIComponent(username), decodeURIComponent(password)]
    if (accessKeyId !== '' && secretAccessKey !== '') return { accessKeyId, secretAccessKey }
  } catch {
    // A percent sign that encodes nothing.
  }
  return {
    problem: 'has credentials that are none',
    remedy: 'Give KEY:SECRET@ with both percent-encoded, or none of them.',
  }
}
