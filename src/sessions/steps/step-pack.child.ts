// Packs a step of a plan and prints its receipt. The argument `turned` builds every object with its keys in the opposite order and hands
// in tools in another. Run by step-determinism.test.ts under different time zones and locales.
import { argv, stdout } from 'node:process'
import { stableJson } from '../../core/index.ts'
import { claimStep, finishStep, taskBoard } from '../../core/index.ts'
import type { HostState } from './host-state.ts'
import { stepPack } from './step-pack.ts'
import type { StepToPack } from './step-pack.ts'

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([key, member]) => [key, turned(member)]))
}

const names = ['ä', 'z', 'Z', 'ı', 'I', 'é', 'ß', '10', '9', '中']
const plan = taskBoard({
  taskId: 'release',
  goal: 'A release',
  steps: [
    { id: 'find', goal: 'Find the change', checklist: ['Names one commit'], tools: names.slice(0, 6) },
    {
      id: 'fix',
      goal: 'Fix it',
      checklist: ['The build is green', 'One file'],
      needs: ['find'],
      tools: names.slice(2),
    },
  ],
})
const found = { by: 'ann', response: 'It was 3f2a.', evidence: [{ uri: 'artifact://3f2a', text: 'commit 3f2a' }] }
const board = claimStep(finishStep(claimStep(plan, 'find', 'ann'), 'find', found), 'fix', 'ann')
const isTurned = argv[2] === 'turned'
const tools = names.map((name) => ({ name, description: `${name} it.`, schema: { type: 'object', title: name } }))

const state: HostState = {
  plan: { instructions: 'Work in small steps.', board },
  tools: isTurned ? tools.toReversed() : tools,
  knowledge: {
    memory: names.map((id) => ({ id, text: `${id} was learnt. `.repeat(20), learntAt: '2026-11-20T10:00:00Z' })),
    artifacts: names.map((name) => ({ uri: `artifact://${name}`, text: `${name} says so. `.repeat(30), title: name })),
  },
  events: names.map((id, at) => ({ id, role: at % 2 === 0 ? 'user' : 'assistant', text: `Turn ${id}. `.repeat(15) })),
}
const asked: StepToPack = {
  sessionId: 's1',
  stepId: 'fix',
  by: 'ann',
  request: 'Mend it.',
  budget: { windowTokens: 2_500 },
  createdAt: '2026-11-22T12:00:00Z',
}
const given = isTurned ? (turned({ state, asked }) as { state: HostState; asked: StepToPack }) : { state, asked }
const { pack, manifest, receipt } = stepPack(given.state, given.asked)
stdout.write(stableJson({ checksum: receipt?.checksum, messages: pack?.messages, inputHash: manifest.inputHash }))
