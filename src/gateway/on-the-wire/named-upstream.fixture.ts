import { fetchUpstream, manualClock, providerAddress, simulatedProvider, spokenBy } from '../../providers/index.ts'
import type { Script } from '../../providers/index.ts'
import { testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

/** A gateway with one upstream of this name, at the address that is known of it or, unless it has routes of its own, at a plain one. */
export async function gatewayNamed(name: string, script: Script = () => 'done'): Promise<TestGateway> {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const provider = simulatedProvider({ script, clock })
  const [known] = name === 'openrouter' ? spokenBy(name) : []
  const address = providerAddress(known?.baseUrl ?? 'http://simulated/v1', 'openai-chat')
  return testGateway({ clock, provider, upstream: fetchUpstream({ name, ...address, fetch: provider.fetch }) })
}
