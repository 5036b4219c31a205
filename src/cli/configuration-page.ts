import type { SettingSchema } from '../gateway/index.ts'
import { namedVariables } from './variables.ts'
import { providerEndpoints } from '../providers/index.ts'
import { configurationFileSchema } from './configuration-file-schema.ts'
import { settingType } from './setting-type.ts'
import type { Command } from './command.ts'

const intro = `# Configuration

Written by \`npm run -s prehend -- help --configuration\`; do not edit.

The file of \`prehend serve --config FILE\` is a JSON object. Every member is listed here, with its type and its default. A member that has no place here is an error that
names its path. The command line goes before the environment, and both go before the file. \`prehend doctor --config FILE\` checks a file and starts nothing.

Editors complete and check the file by its JSON Schema, which is part of the package:

\`\`\`json
{
  "$schema": "./node_modules/prehend/docs/configuration.schema.json",
  "port": 8484,
  "upstreams": { "anthropic": { "keyVariable": "ANTHROPIC_API_KEY" } },
  "tokens": [{ "tenant": "team-a", "tokenVariable": "TEAM_A_TOKEN" }]
}
\`\`\`

In paths, \`NAME\` stands for a name of your choice (in \`PREHEND_NAME\` for that of a [setting of a policy](policies/figures.md)), and \`[]\` for each entry of a list. Variables with older prefixes are in [the command line](cli.md#older-names).
What each setting does to requests is described in [the gateway](gateway.md), [operations](operations.md) and [policies](policies.md).`

/** Variables that set members for which there is no option. */
const variables: Readonly<Record<string, readonly string[]>> = {
  'upstreams.NAME.apiKey': Object.values(providerEndpoints).map(({ keyVariable }) => keyVariable),
  'providerKeys.secret': ['PREHEND_PROVIDER_KEYS_SECRET', 'PREHEND_PROVIDER_KEYS_SECRET_FILE'],
  'settings': ['PREHEND_NAME'],
  's3.accessKeyId': ['AWS_ACCESS_KEY_ID'],
  's3.secretAccessKey': ['AWS_SECRET_ACCESS_KEY'],
  's3.sessionToken': ['AWS_SESSION_TOKEN'],
  's3.region': ['AWS_REGION'],
  'otlp.endpoint': ['OTEL_EXPORTER_OTLP_ENDPOINT'],
  'otlp.headers': ['OTEL_EXPORTER_OTLP_HEADERS'],
  'otlp.serviceName': ['OTEL_SERVICE_NAME'],
  'otlp.resource': ['OTEL_RESOURCE_ATTRIBUTES'],
  'otlp.traces': ['OTEL_TRACES_EXPORTER'],
  'otlp.metrics': ['OTEL_METRICS_EXPORTER'],
}

interface Member {
  readonly path: string
  readonly schema: SettingSchema
  readonly isRequired: boolean
}

/** The page docs/configuration.md. */
export function configurationPage(commands: readonly Command[]): string {
  const { properties = {} } = configurationFileSchema()
  const top = Object.entries(properties)
  const setBy = settersOf(commands)
  const plain = top.filter(([, schema]) => innerOf(schema) === undefined)
  const groups = top.filter(([, schema]) => innerOf(schema) !== undefined)
  const listed = groups.map(([name]) => `[\`${name}\`](#${name.toLowerCase()})`).join(', ')
  return `${[
    intro,
    '## Members without members of their own',
    tableOf(
      plain.map(([path, schema]) => ({ path, schema, isRequired: false })),
      setBy,
    ),
    `Members with members: ${listed}.`,
    ...groups.flatMap(([name, schema]) => [
      `## ${name}`,
      `${described(schema)} (${settingType(schema)})${alsoSetBy(setBy.get(name))}`,
      tableOf(membersOf(name, schema, properties), setBy),
    ]),
  ].join('\n\n')}\n`
}

function alsoSetBy(setters: readonly string[] = []): string {
  return setters.length === 0 ? '' : `\n\nAlso set by ${coded(setters)}.`
}

function coded(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** By path of a member, the options and variables that set it. */
function settersOf(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const options = commands.find(({ name }) => name === 'serve')?.options ?? {}
  const setters = new Map<string, readonly string[]>(Object.entries(variables))
  for (const [name, { setting, variables: read = [] }] of Object.entries(options))
    if (setting !== undefined)
      setters.set(setting, [`--${name}`, ...namedVariables(read), ...(setters.get(setting) ?? [])])
  return setters
}

/** Members of members, to any depth. Those of a member that the configuration has itself, too, are listed there. */
function membersOf(at: string, schema: SettingSchema, top: SettingSchema['properties'] = {}): readonly Member[] {
  const inner = innerOf(schema)
  if (inner === undefined) return []
  const path = `${at}${inner.below}`
  return Object.entries(inner.object.properties ?? {}).flatMap(([name, of]): readonly Member[] => {
    const own: Member = {
      path: `${path}.${name}`,
      schema: of,
      isRequired: inner.object.required?.includes(name) ?? false,
    }
    const twin = Object.hasOwn(top, name) ? top[name] : undefined
    const isTwin = twin !== undefined && innerOf(of) !== undefined && isLike(of, twin)
    return isTwin ? [linked(own, name)] : [own, ...membersOf(own.path, of, top)]
  })
}

function linked(member: Member, name: string): Member {
  const description = `${described(member.schema)} Its members: [\`${name}\`](#${name.toLowerCase()}).`
  return { ...member, schema: { ...member.schema, description } }
}

/** Whether two have the same members; a tenant has some of those of all. */
function isLike(one: SettingSchema, other: SettingSchema): boolean {
  const names = (schema: SettingSchema) => Object.keys(innerOf(schema)?.object.properties ?? {})
  const known = new Set(names(other))
  return names(one).length > 0 && names(one).length >= known.size - 1 && names(one).every((name) => known.has(name))
}

interface Inner {
  /** What stands between the path of a member and those of its members. */
  readonly below: string
  readonly object: SettingSchema
}

/** The object with named members that a setting is, or that its entries are. */
function innerOf(schema: SettingSchema, below = ''): Inner | undefined {
  const { properties, items, additionalProperties, anyOf = [] } = schema
  if (properties) return { below, object: schema }
  if (items) return innerOf(items, `${below}[]`)
  if (typeof additionalProperties === 'object') return innerOf(additionalProperties, `${below}.NAME`)
  return anyOf.map((one) => innerOf(one, below)).find((inner) => inner !== undefined)
}

function tableOf(members: readonly Member[], setBy: ReadonlyMap<string, readonly string[]>): string {
  const rows = members.map(({ path, schema, isRequired }) => {
    const setters = coded(setBy.get(path) ?? [])
    const fallback = isRequired ? 'needed' : defaultText(schema)
    return `| \`${path}\` | ${cell(settingType(schema))} | ${cell(fallback)} | ${cell(described(schema))} | ${setters} |`
  })
  return ['| member | type | default | what it does | also set by |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** An object whose members have defaults of their own has none itself. */
function defaultText({ default: fallback, properties }: SettingSchema): string {
  return fallback === undefined || properties !== undefined ? '' : `\`${JSON.stringify(fallback)}\``
}

function described({ description = '' }: SettingSchema): string {
  return description
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
