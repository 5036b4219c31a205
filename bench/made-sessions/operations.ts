import { chancesOf } from '../seeded-random.ts'
import type { Chances } from '../seeded-random.ts'
import { instructions, shuffled, talk } from './talk.ts'
import type { SessionMaker } from './talk.ts'

/* Somebody looks after a cluster: what runs, what logs say, what would change; records take up states and sentences. */

const services = ['checkout', 'billing', 'search', 'gateway', 'mailer', 'inventory', 'session', 'reports']
const sound = ['GET /healthz 200 1ms', 'accepted connection', 'flushed 40 spans', 'cache hit', 'renewed lease']

function podsOf({
  pick,
  upTo,
}: Chances): readonly { readonly name: string; readonly state: string; readonly line: string }[] {
  return Array.from({ length: 28 }, () => {
    const name = `${pick(services)}-${upTo(0xfffffff).toString(16)}-${pick([...'bcdfghjklmnp'])}${upTo(36 ** 4).toString(36)}`
    const state = pick([
      'Running',
      'Running',
      'Running',
      'Running',
      'Completed',
      'Pending',
      'Terminating',
      'CrashLoopBackOff',
    ])
    const node = `node-${1 + upTo(9)}`
    return {
      name,
      state,
      line: `${name.padEnd(34)} ${state === 'Running' ? '1/1' : '0/1'}  ${state.padEnd(17)} ${String(upTo(30)).padEnd(4)} ${1 + upTo(40)}d  ${node}`,
    }
  })
}

/** What a line of a log says that is not the usual noise. */
function event({ pick, upTo }: Chances): string {
  return pick([
    `WARN pool exhausted active=${10 + upTo(40)} waiting=${upTo(200)}`,
    `INFO switched ${pick(services)} to replica db-${upTo(9)} after ${upTo(900)} ms`,
    `WARN certificate for ${pick(services)}.example.org expires on 2026-0${1 + upTo(9)}-${10 + upTo(18)}`,
    `INFO deployment of ${pick(services)} 4.${upTo(30)}.${upTo(9)} finished by ${pick(['Nadia Petrov', 'Luis Ferro', 'Kim Sato'])}`,
    `WARN disk usage of /var/lib at ${80 + upTo(19)}.${upTo(9)}%`,
  ])
}

function logOf(chances: Chances, layout: number): { readonly text: string; readonly events: readonly string[] } {
  const { pick, upTo, chance } = chances
  const events: string[] = []
  const lines = Array.from({ length: 90 }, (_, at) => {
    const said = chance(0.08) ? event(chances) : `INFO ${pick(sound)}`
    const time = `2026-03-0${1 + upTo(9)}T10:${String(at % 60).padStart(2, '0')}:${String(upTo(60)).padStart(2, '0')}`
    const rest = said.slice(said.indexOf(' ') + 1)
    if (!said.startsWith('INFO ') || !sound.includes(rest)) events.push(rest)
    const level = said.split(' ', 1)[0] ?? ''
    if (layout === 1) return JSON.stringify({ ts: time, level: level.toLowerCase(), msg: rest })
    return layout === 2 ? `[${time}] ${level.padEnd(5)} app: ${rest}` : `${time}Z ${said}`
  })
  return { text: lines.join('\n'), events }
}

function planOf({ pick, upTo }: Chances): { readonly text: string; readonly changes: readonly string[] } {
  const changes = Array.from(
    { length: 10 },
    () =>
      `# module.${pick(services)}.aws_instance.main[${upTo(20)}] ${pick(['must be replaced', 'will be updated in-place', 'will be destroyed'])}`,
  )
  const text = changes
    .map(
      (change) =>
        `  ${change}\n  ~ resource "aws_instance" "main" {\n      ~ ami           = "ami-${upTo(0xffffff).toString(16)}" -> "ami-${upTo(0xffffff).toString(16)}"\n        id            = "i-${upTo(0xffffffff).toString(16)}"\n        # (${upTo(40)} unchanged attributes hidden)\n    }`,
    )
    .join('\n\n')
  return {
    text: `Terraform will perform the following actions:\n\n${text}\n\nPlan: ${upTo(9)} to add, ${upTo(9)} to change, ${upTo(9)} to destroy.`,
    changes,
  }
}

export const operationsSession: SessionMaker = ({ id, seed, layout }) => {
  const chances = chancesOf(seed * 23 + layout)
  const { pick, upTo } = chances
  const { user, step, answer, session } = talk(
    id,
    instructions('an engineer on call who looks after a Kubernetes cluster'),
  )
  user('Orders are slow since this morning. Find out what has changed, and keep a record of what you see.')
  const seen: string[] = []
  for (let round = 0; round < 6; round += 1) {
    const pods = podsOf(chances)
    step({
      tool: 'shell',
      given: { command: `kubectl get pods -n ${pick(services)} -o wide` },
      result: `NAME                               READY STATUS            RESTARTS AGE NODE\n${pods.map(({ line }) => line).join('\n')}`,
    })
    const log = logOf(chances, layout)
    step({ tool: 'shell', given: { command: `kubectl logs deploy/${pick(services)} --since=1h` }, result: log.text })
    const plan = planOf(chances)
    if (round % 2 === 0) step({ tool: 'shell', given: { command: 'terraform plan -no-color' }, result: plan.text })
    const bad = pods.find(({ state }) => state === 'CrashLoopBackOff' || state === 'Pending')
    seen.push(...log.events, ...(round % 2 === 0 ? plan.changes : []), ...(bad === undefined ? [] : [bad.name]))
    step({ tool: 'incident_note', given: { text: pick(seen) }, result: 'ok' })
  }
  user('Write the timeline: every warning about the pool or about certificates, and what will be replaced.')
  const asked = seen.filter((line) => /pool|certificate|replaced/.test(line))
  for (const line of [...shuffled(asked, upTo).slice(0, 8), ...shuffled(seen, upTo).slice(0, 5)]) {
    step({ tool: 'incident_note', given: { text: line }, result: 'ok' })
  }
  answer('The timeline is written.')
  return session()
}
