import { configurationSchema } from '../gateway/index.ts'
import type { SettingSchema } from '../gateway/index.ts'

const inVariables = {
  tokens: ['tokenVariable', 'token', 'Environment variable that holds the token, in place of `token`.'],
  upstreams: ['keyVariable', 'apiKey', 'Environment variable that holds the key, in place of `apiKey`.'],
} as const

/** The JSON Schema of a configuration file: secrets may stand in environment variables that it names. */
export function configurationFileSchema(): SettingSchema {
  const whole = configurationSchema()
  const { tokens = {}, upstreams = {} } = whole.properties ?? {}
  return {
    ...whole,
    properties: {
      ...whole.properties,
      tokens: { ...tokens, items: withVariable(tokens.items ?? {}, 'tokens') },
      upstreams: { ...upstreams, additionalProperties: withVariable(upstreams.additionalProperties, 'upstreams') },
    },
  }
}

function withVariable(schema: SettingSchema | boolean | undefined, of: keyof typeof inVariables): SettingSchema {
  const known = typeof schema === 'object' ? schema : {}
  const [name, replaced, description] = inVariables[of]
  return {
    ...known,
    properties: { ...known.properties, [name]: { type: 'string', description } },
    ...(known.required && { required: known.required.filter((member) => member !== replaced) }),
  }
}

/** As it stands in docs/configuration.schema.json. */
export function configurationSchemaText(): string {
  const about = { title: 'Configuration of a Prehend gateway' }
  return `${JSON.stringify({ ...about, ...configurationFileSchema() }, undefined, 2)}\n`
}
