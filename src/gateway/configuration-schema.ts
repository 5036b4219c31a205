import { z } from 'zod'
import { configSchema } from './config-schema.ts'

/** A JSON Schema of a setting, as far as pages and editors need it. */
export interface SettingSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SettingSchema[]
  readonly items?: SettingSchema
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, SettingSchema>>
  /** Members of an object whose members the user names. */
  readonly additionalProperties?: SettingSchema | boolean
  readonly required?: readonly string[]
}

/** The JSON Schema of a configuration, as it is handed to `parseConfig`. */
export function configurationSchema(): SettingSchema {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as unknown as SettingSchema
}
