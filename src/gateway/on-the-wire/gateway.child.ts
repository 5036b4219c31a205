// A gateway on a store that a test kills it over; prints its address.
import { threadedSqliteStore } from '../../stores/index.ts'
import { openGateway } from '../open-gateway.ts'
import { parseConfig } from '../config.ts'

const [, , path = '', baseUrl = ''] = process.argv
const upstreams = { openai: { baseUrl: `${baseUrl}/v1`, apiKey: 'key' }, anthropic: { baseUrl, apiKey: 'key' } }
const gateway = await openGateway(parseConfig({ port: 0, policy: 'thrifty', upstreams }), {
  store: await threadedSqliteStore({ path }),
})
process.stdout.write(`${gateway.url}\n`)
