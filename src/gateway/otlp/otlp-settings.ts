import { z } from 'zod'

/** Where spans and metrics go, by OTLP over HTTP with JSON. */
export const otlpSettings = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .describe('A collector, such as `http://127.0.0.1:4318`; `/v1/traces` and `/v1/metrics` are added.'),
  headers: z.record(z.string().min(1), z.string()).default({}).describe('Sent with every export, such as a key.'),
  serviceName: z.string().min(1).default('prehend').describe('`service.name` of the resource.'),
  resource: z.record(z.string().min(1), z.string()).default({}).describe('Further attributes of the resource.'),
  traces: z.boolean().default(true).describe('Whether spans are exported.'),
  metrics: z.boolean().default(true).describe('Whether metrics are exported.'),
  intervalMs: z.number().int().min(100).max(3_600_000).default(60_000).describe('Between exports of metrics.'),
})

export type OtlpSettings = z.infer<typeof otlpSettings>
