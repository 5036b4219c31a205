import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../gateway/index.ts'
import type { SettingSchema } from '../gateway/index.ts'
import { commands } from './commands.ts'
import { configurationFileSchema, configurationSchemaText } from './configuration-file-schema.ts'
import { configurationPage } from './configuration-page.ts'
import { servingOptions } from './serving-options.ts'
import { settingType } from './setting-type.ts'

const page = configurationPage(commands)

/** Members to any depth, by path. */
function membersIn(schema: SettingSchema, at = ''): readonly (readonly [path: string, schema: SettingSchema])[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema
  const within = [items, additionalProperties, ...anyOf].filter((one) => typeof one === 'object')
  return [
    ...Object.entries(properties).flatMap(([name, of]) => [
      [`${at}${name}`, of] as const,
      ...membersIn(of, `${at}${name}.`),
    ]),
    ...within.flatMap((one) => membersIn(one, at)),
  ]
}

describe('the reference of the configuration', () => {
  it('says of every member, to any depth, what it does', () => {
    const members = membersIn(configurationFileSchema())
    expect(members.length).toBeGreaterThan(300)
    expect(members.filter(([, { description }]) => (description ?? '') === '').map(([path]) => path)).toEqual([])
  })

  it('names type, default, option and variable of a member', () => {
    expect(page).toContain('| `port` | whole number, 0 to 65535 | `8484` |')
    expect(page).toContain('`--keepalive-interval`, `PREHEND_KEEPALIVE_INTERVAL` |')
    expect(page).toContain('| `s3.region` | text |')
  })

  it('every option that sets a member is told with it; the others are of the process', () => {
    const others = Object.entries(servingOptions).filter(([, spec]) => !('setting' in spec))
    expect(others.map(([name]) => name)).toEqual(['data', 'store', 'simulate', 'script', 'config', 'log'])
    for (const [name, spec] of Object.entries(servingOptions))
      if ('setting' in spec)
        expect(page).toMatch(new RegExp(`(?:\\| \`${spec.setting}\` \\||^Also set by ).*\`--${name}\``, 'm'))
  })

  it('every link to a heading of the page has its heading', () => {
    const headings = new Set(Array.from(page.matchAll(/^## (.+)$/gm), ([, name = '']) => name.toLowerCase()))
    const links = Array.from(page.matchAll(/\]\(#([^)]+)\)/g), ([, name = '']) => name)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((name) => !headings.has(name))).toEqual([])
  })
})

describe('the JSON Schema of a configuration file', () => {
  const file = z.fromJSONSchema(JSON.parse(configurationSchemaText()) as Parameters<typeof z.fromJSONSchema>[0])

  it('takes a file with its own address and secrets in variables, and refuses an unknown member', () => {
    const written = {
      $schema: './node_modules/prehend/docs/configuration.schema.json',
      upstreams: { anthropic: { keyVariable: 'ANTHROPIC_API_KEY' } },
      tokens: [{ tenant: 'team-a', tokenVariable: 'TEAM_A_TOKEN' }],
    }
    expect(file.safeParse(written).success).toBe(true)
    expect(file.safeParse({ ...written, prot: 1 }).success).toBe(false)
    expect(file.safeParse({ tenants: { acme: { limits: { bodyBytes: 'much' } } } }).success).toBe(false)
  })

  it('its address may stand in a configuration, and an unknown member is told where all are listed', () => {
    expect(parseConfig({ $schema: './configuration.schema.json' }).port).toBe(8484)
    expect(() => parseConfig({ prot: 1 })).toThrow(/docs\/configuration\.md lists all\.$/)
  })
})

it.each([
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'whole number, 1 or more'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'number, above 0'],
  [{ type: 'number', maximum: 3 }, 'number, at most 3'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'texts by name'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'text or list of texts'],
])('the type of %j is told as %s', (schema, words) => {
  expect(settingType(schema)).toBe(words)
})
