import { expect, it } from 'vitest'
import { otlpOf } from './otlp-variables.ts'

it('reads the collector from the variables of OpenTelemetry, and only where the file names none', () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret, x = y ,odd',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=gate,deployment.environment=prod,bad=%E0',
    OTEL_METRICS_EXPORTER: 'none',
  }
  expect(otlpOf(environment, undefined)).toEqual({
    endpoint: 'http://collector:4318',
    headers: { 'api-key': 'a secret', 'x': 'y' },
    resource: { 'deployment.environment': 'prod', 'bad': '%E0' },
    serviceName: 'gate',
    traces: true,
    metrics: false,
  })
  expect(otlpOf({ ...environment, OTEL_SERVICE_NAME: 'other' }, undefined)).toMatchObject({ serviceName: 'other' })
  expect(otlpOf({ ...environment, OTEL_SDK_DISABLED: 'TRUE' }, undefined)).toBeUndefined()
  expect(otlpOf({}, undefined)).toBeUndefined()
  const fromFile = { endpoint: 'http://127.0.0.1:4318' }
  expect(otlpOf(environment, fromFile)).toBe(fromFile)
})
