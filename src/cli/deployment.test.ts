import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { memoryStore } from '../stores/index.ts'
import { commands } from './commands.ts'
import { parseArguments } from './parse-arguments.ts'
import { tokensOf } from './secret-variables.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(root, 'deploy', path), 'utf8')

let gateway: Gateway
beforeAll(async () => void (gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore() })))
afterAll(() => gateway.close(0))

interface Container {
  readonly args: readonly string[]
  readonly ports: readonly { readonly containerPort: number }[]
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string } }
  readonly resources: { readonly requests: object; readonly limits: object }
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Manifest {
  readonly kind: string
  readonly stringData?: Readonly<Record<string, string>>
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly selector?: object
    readonly template?: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly containers: readonly Container[]
        readonly volumes: readonly { readonly name: string }[]
      }
    }
  }
}

const manifests = parseAllDocuments(read('kubernetes/prehend.yaml')).map((one) => {
  if (one.errors.length > 0) throw one.errors[0]!
  return one.toJS() as Manifest
})
const ofKind = (kind: string): Manifest => manifests.find((one) => one.kind === kind)!
const pod = ofKind('Deployment').spec!.template!
const [container] = pod.spec.containers
const configText = ofKind('ConfigMap').data!['prehend.json']!
const secretVariables = {
  OPERATOR_TOKEN: 'an-operators-secret',
  CLIENT_TOKEN: 'a-clients-secret',
  METRICS_TOKEN: 'a-secret-of-prometheus',
}

/** A configuration as `serve` reads it from its file. */
const configured = (text: string) => {
  const { tokens, ...rest } = JSON.parse(text) as { tokens: unknown }
  return parseConfig({ ...rest, tokens: tokensOf(tokens, secretVariables) })
}
const config = configured(configText)

const serve = commands.find(({ name }) => name === 'serve')!
const keys = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'DEEPSEEK_API_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  ...Object.keys(secretVariables),
]
const known = new Set([...keys, ...Object.values(serve.options).flatMap(({ variables = [] }) => variables)])

/** What `serve` makes of these words; throws where it does not know one. */
const options = (args: readonly string[], environment: Readonly<Record<string, string>>) => {
  const [name, ...rest] = args
  expect(name).toBe('serve')
  return parseArguments(serve, rest, environment).options
}

describe('deploy/kubernetes', () => {
  it('gives the gateway a configuration, options and variables that it knows', () => {
    const secrets = ofKind('Secret').stringData!
    expect(Object.keys(secrets).filter((name) => !known.has(name))).toEqual([])
    const said = options(container!.args, secrets)
    expect(said).toMatchObject({ store: expect.stringMatching(/^postgres:/), hot: expect.stringMatching(/^redis:/) })
    const mounted = container!.volumeMounts.find(({ name }) => name === 'config')?.mountPath
    expect(said['config']).toBe(`${mounted}/${Object.keys(ofKind('ConfigMap').data!)[0]}`)
    expect(config.host).toBe('0.0.0.0')
    expect(container!.ports[0]!.containerPort).toBe(config.port)
  })

  it('asks for routes that answer, and waits longer than the gateway drains', async () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
      const { path } = container![probe]!.httpGet
      expect((await fetch(gateway.url + path)).status).toBe(200)
    }
    const { drainDelayMs, drainMs } = config.limits
    expect(1000 * pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(drainDelayMs + drainMs + 5000)
  })

  it('runs without rights, within bounds, and mounts what it names', () => {
    expect(container!.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(container!.resources).toMatchObject({ requests: { memory: '1Gi' }, limits: { memory: '2Gi' } })
    const volumes = pod.spec.volumes.map(({ name }) => name)
    expect(container!.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted())
    for (const kind of ['Service', 'Deployment', 'PodDisruptionBudget']) {
      const { selector } = ofKind(kind).spec!
      expect(JSON.stringify(selector)).toContain(JSON.stringify(pod.metadata.labels).slice(1, -1))
    }
  })
})

it('deploy/kubernetes scrapes metrics by a token of the Secret that reads nothing else', () => {
  const monitor = parse(read('kubernetes/service-monitor.yaml')) as {
    spec: {
      selector: { matchLabels: object }
      endpoints: { port: string; path: string; authorization: { credentials: { name: string; key: string } } }[]
    }
  }
  const [endpoint] = monitor.spec.endpoints
  const { credentials } = endpoint!.authorization
  expect(monitor.spec.selector.matchLabels).toEqual(pod.metadata.labels)
  expect(endpoint).toMatchObject({ port: 'http', path: '/metrics' })
  expect(ofKind('Secret').stringData).toHaveProperty(credentials.key)
  const token = secretVariables[credentials.key as keyof typeof secretVariables]
  expect(config.tokens.find((one) => one.token === token)?.scopes).toEqual(['metrics'])
})

describe.each([
  ['deploy/kubernetes', configText],
  ['deploy/prehend.json', read('prehend.json')],
])('the tokens of %s', (_, text) => {
  it('let clients ask models and nothing else, and are operators only where that is stated', async () => {
    const served = await openGateway({ ...configured(text), host: '127.0.0.1', port: 0 }, { store: memoryStore() })
    const ask = async (token: string, path: string, method = 'GET') => {
      const body =
        method === 'POST'
          ? { body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }) }
          : {}
      const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(served.url + path, { method, headers, ...body })
      await response.text()
      return response.status
    }
    const { OPERATOR_TOKEN: operator, CLIENT_TOKEN: client, METRICS_TOKEN: prometheus } = secretVariables
    const statuses = async (token: string) => [
      await ask(token, '/v1/chat/completions', 'POST'),
      await ask(token, '/v1/packs'),
      await ask(token, '/v1/keys'),
      await ask(token, '/metrics'),
      await ask(token, '/v1/tenants/nobody', 'DELETE'),
    ]
    expect(await statuses(client)).toEqual([200, 403, 403, 403, 403])
    expect(await statuses(prometheus)).toEqual([403, 403, 403, 200, 403])
    expect(await statuses(operator)).toEqual([403, 403, 200, 200, 200])
    await served.close(0)
  })
})

describe('deploy/compose.yaml', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: {
      prehend: { command: string[]; environment: Record<string, string>; stop_grace_period: string; volumes: string[] }
    }
  }
  const { command, environment: written, stop_grace_period: grace, volumes } = services.prehend
  /** As Compose reads them where no variable is set. */
  const environment = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  )

  it('gives the gateway options and variables that it knows, and time to drain', () => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
    const said = options(command, environment)
    expect(said).toMatchObject({ workers: 2, store: expect.stringContaining('@postgres:5432/prehend') })
    expect(volumes).toContain(`./prehend.json:${String(said['config'])}:ro`)
    expect(1000 * Number.parseInt(grace, 10)).toBeGreaterThan(Number(said['drain-ms']))
  })
})

describe('deploy/Dockerfile', () => {
  const text = read('Dockerfile')

  it('starts a file that the package has, as a user without rights, with variables that serve knows', () => {
    const { bin, peerDependencies } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
      bin: { prehend: string }
      peerDependencies: Record<string, string>
    }
    expect(text).toContain(`/app/node_modules/prehend/${bin.prehend}`)
    expect(text).toMatch(/^USER node$/m)
    for (const name of ['postgres', 'redis'])
      expect(text).toContain(`${name}@${/\d+/.exec(peerDependencies[name]!)?.[0]}`)
    const set = Array.from(text.matchAll(/\b(PREHEND_[A-Z]+)=/g), ([, name]) => name!)
    expect(set.length).toBeGreaterThan(2)
    expect(set.filter((name) => !known.has(name))).toEqual([])
  })
})

describe('docs/use-with/containers.md', () => {
  const page = readFileSync(resolve(root, 'docs/use-with/containers.md'), 'utf8')
  const block = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''
  const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
    version: string
    files: string[]
    bin: { prehend: string }
  }
  /** The words of a command line behind the file that the package has. */
  const behindBin = (line: string): readonly string[] => {
    const [, words = ''] = line.split(`node_modules/prehend/${manifest.bin.prehend}`)
    return words.match(/[\w/-]+/g) ?? []
  }

  it('names the file that npm pack writes, as the README does', () => {
    const readme = readFileSync(resolve(root, 'README.md'), 'utf8')
    expect(readme).toMatch(/^npx prehend start +# where the package is installed$/m)
    const named = new Set(`${page} ${readme}`.match(/prehend-\d[\w.]*\.tgz/g))
    expect([...named]).toEqual([`prehend-${manifest.version}.tgz`])
  })

  it('has an image that starts the package as a user without rights, with variables that serve knows', () => {
    const dockerfile = block('dockerfile')
    expect(dockerfile).toMatch(/^FROM node:24-slim$[\s\S]*^USER node$/m)
    const set = Array.from(dockerfile.matchAll(/\b(PREHEND_[A-Z]+)=/g), ([, name]) => name!)
    expect(set).toEqual(['PREHEND_HOST', 'PREHEND_DATA'])
    expect(set.filter((name) => !known.has(name))).toEqual([])
    expect(options(behindBin(dockerfile), {})).toMatchObject({ 'drain-ms': 60_000 })
  })

  it('has a service of Compose and a unit of systemd that give requests time to end', () => {
    const { services } = parse(block('yaml')) as {
      services: { prehend: { environment: object; stop_grace_period: string; ports: string[] } }
    }
    const { environment, stop_grace_period: grace, ports } = services.prehend
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
    expect([ports, Number.parseInt(grace, 10)]).toEqual([['127.0.0.1:8484:8484'], 90])
    const unit = block('ini')
    const said = options(behindBin(/^ExecStart=.*$/m.exec(unit)?.[0] ?? ''), {})
    expect(said).toMatchObject({ 'drain-ms': 60_000, 'data': '/var/lib/prehend' })
    expect(unit).toMatch(/^TimeoutStopSec=90$/m)
    expect(unit).toMatch(/^StateDirectory=prehend$/m)
  })

  it('stands for what the package leaves out: files that can be built in a checkout only', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['deploy', '!deploy/Dockerfile', '!deploy/compose.yaml']))
  })
})

describe('a build of the image', () => {
  it('installs the packages of every workspace before it copies the source, and copies no installed package', () => {
    const { workspaces } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { workspaces: string[] }
    const [before = '', after] = read('Dockerfile').split('\nRUN npm ci')
    expect(after).toMatch(/^COPY \. \.$/m)
    for (const folder of workspaces) expect(before).toContain(`COPY ${folder}/package.json ${folder}/`)
    const ignored = readFileSync(resolve(root, '.dockerignore'), 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/.git', '**/dist']))
  })

  it('installs the optional peers that options of the gateway need, in versions that the package takes', () => {
    const { peerDependencies } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
      peerDependencies: Readonly<Record<string, string>>
    }
    const [, said = ''] = /npm install .*prehend\.tgz (.*) \\$/m.exec(read('Dockerfile')) ?? []
    const installed = new Map(
      Array.from(said.matchAll(/(@?[^@ ]+)@(\d+)/g), ([, name = '', major = '']) => [name, major]),
    )
    expect([...installed.keys()]).toEqual(['postgres', 'redis', 'aws4fetch', '@modelcontextprotocol/client', 'yaml'])
    for (const [name, major] of installed) expect(peerDependencies[name]?.startsWith(`^${major}.`)).toBe(true)
  })

  it('starts from the least Node that runs the package, or a later one', () => {
    const { engines } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { engines: { node: string } }
    const [least = 0] = (/\d+/.exec(engines.node) ?? []).map(Number)
    const used = Array.from(read('Dockerfile').matchAll(/^FROM node:(\d+)/gm), ([, major]) => Number(major))
    expect(used).toHaveLength(2)
    for (const major of used) expect(major).toBeGreaterThanOrEqual(least)
  })
})

/** Of metrics in expressions, those that the gateway does not have. */
async function unknownMetrics(asked: readonly string[]): Promise<readonly string[]> {
  const shown = await (await fetch(`${gateway.url}/metrics`)).text()
  const names = new Set(Array.from(shown.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name))
  return asked.map((name) => name.replace(/_bucket$/, '')).filter((name) => !names.has(name))
}

describe('deploy/prometheus-rules.yaml', () => {
  interface Rule {
    readonly alert: string
    readonly expr: string
    readonly labels: { readonly severity: string }
    readonly annotations: { readonly summary: string }
  }
  const { groups } = parse(read('prometheus-rules.yaml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap((group) => group.rules)

  it('asks for metrics that the gateway has', async () => {
    const asked = rules.map(({ expr }) => expr.match(/prehend_\w+/g) ?? [])
    expect(asked.filter((names) => names.length === 0)).toEqual([])
    expect(await unknownMetrics(asked.flat())).toEqual([])
  })

  it('each alert has a severity and a summary, and stands once in docs/operations/alerts.md', () => {
    const page = readFileSync(resolve(root, 'docs/operations/alerts.md'), 'utf8')
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(?:warning|critical)$/)
      expect(annotations.summary).toMatch(/\.$/)
      expect(page.split(`\`${alert}\``)).toHaveLength(2)
    }
  })
})

describe('deploy/grafana', () => {
  it('asks for metrics that the gateway has', async () => {
    const { panels } = JSON.parse(read('grafana/prehend.json')) as { panels: { targets: { expr: string }[] }[] }
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/prehend_\w+/g) ?? []))
    expect(asked.length).toBeGreaterThan(8)
    expect(await unknownMetrics(asked)).toEqual([])
  })
})
