import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import type { List, PolicyExplained, PolicyList, Replay, SessionLabel, SessionSummary } from '../api/answers.ts'
import { ask } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { asProblem, useAnswer } from '../api/use-answer.ts'
import { ago, count, counted } from '../format.ts'
import { sessionName, sessionNote } from '../session-name.ts'
import { FirstSteps } from '../parts/first-steps.tsx'
import { Answered, Problem } from '../parts/states.tsx'

/** The most that one replay compares. */
const mostPolicies = 4
/** What most sessions choose between; the others are for certain tasks and windows. */
const recommended = ['careful', 'balanced', 'thrifty']
/** The most that one replay sends again. */
const mostSessions = 100

const example = `{
  "extends": "careful",
  "id": "mine",
  "version": "1.0.0",
  "epochs": { "lineWorth": 0.004 }
}`

/** Which sessions, by which policies. What is chosen stands in the address; a file and a policy's text do not. */
export function Wish({ onStarted }: { readonly onStarted: (id: string) => void }): JSX.Element {
  const { query, set } = useAddress()
  const [trace, setTrace] = useState<string>()
  const [own, setOwn] = useState('')
  const [problem, setProblem] = useState<ApiProblem>()
  const sessions = namesIn(query['sessions'])
  const policies = namesIn(query['policies'])
  const isReady = (sessions.length > 0 || trace !== undefined) && (policies.length > 0 || own !== '')
  const start = async (): Promise<void> => {
    const wish = {
      sessions,
      ...(trace !== undefined && { trace }),
      policies: [...policies, ...(own === '' ? [] : [JSON.parse(own) as object])],
      ...(query['model'] !== undefined && { model: query['model'] }),
    }
    const { id } = await ask<Replay>('/v1/replays', { method: 'POST', body: wish })
    onStarted(id)
  }
  const send = (event: Event): void => {
    event.preventDefault()
    setProblem(undefined)
    start().catch((error: unknown) => setProblem(asProblem(error)))
  }
  return (
    <form class="wish" onSubmit={send}>
      {problem && <Problem problem={problem} again={() => setProblem(undefined)} />}
      <div class="halves">
        <Sessions chosen={sessions} onChoose={(names) => set({ sessions: names.join('\n') })} onTrace={setTrace} />
        <Policies
          chosen={policies}
          onChoose={(names) => set({ policies: names.join('\n') })}
          own={own}
          onOwn={setOwn}
        />
      </div>
      <div class="fields">
        <label>
          Billed by the rules of this model
          <input
            value={query['model'] ?? ''}
            placeholder="each session’s own model"
            spellcheck={false}
            onInput={(event) => set({ model: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="main" disabled={!isReady}>
          Replay
        </button>
        {!isReady && <span class="quiet">Choose a session or a file, and a policy.</span>}
      </div>
    </form>
  )
}

function namesIn(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((name) => name !== '')
}

interface Choosing {
  readonly chosen: readonly string[]
  readonly onChoose: (names: readonly string[]) => void
}

function Sessions({ chosen, onChoose, onTrace }: Choosing & { readonly onTrace: (text: string) => void }): JSX.Element {
  const labels = useSessionLabels()
  const answer = useAnswer<List<SessionSummary>>('/v1/sessions', { limit: mostSessions })
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file) onTrace(await file.text())
  }
  return (
    <fieldset class="panel">
      <legend>Sessions</legend>
      <Answered answer={answer}>
        {({ data }) =>
          data.length === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <p class="inside">
                <button type="button" onClick={() => onChoose(data.map(({ session }) => session))}>
                  Choose all {count(data.length)}
                </button>{' '}
                <span class="quiet">the newest {count(mostSessions)} at most, each with its first 1,000 requests</span>
              </p>
              <Choices
                all={data.map((one) => choiceOf(one, labels.get(one.session)))}
                chosen={chosen}
                onChoose={onChoose}
              />
            </>
          )
        }
      </Answered>
      <label class="inside">
        Or a file of JSON lines, as <code>prehend replay</code> reads them{' '}
        <input
          type="file"
          accept=".jsonl,.json,.ndjson"
          onChange={(event) => void readFile(event.currentTarget.files?.[0])}
        />
      </label>
    </fieldset>
  )
}

function choiceOf({ session, usedMs, cost }: SessionSummary, label: SessionLabel | undefined): Choice {
  const requests = cost.requests === 0 ? 'none answered' : counted(cost.requests, ['request', 'requests'])
  const about = [sessionNote(session, label), requests, ago(usedMs, Date.now())].filter((part) => part !== '')
  return { name: session, shown: sessionName(session, label), about: about.join(', ') }
}

interface PoliciesProps extends Choosing {
  readonly own: string
  readonly onOwn: (text: string) => void
}

function Policies({ chosen, onChoose, own, onOwn }: PoliciesProps): JSX.Element {
  const answer = useAnswer<PolicyList>('/v1/policies')
  return (
    <fieldset class="panel">
      <legend>Policies, {mostPolicies} at most</legend>
      <Answered answer={answer}>
        {({ data }) => {
          const all = data.map(({ id, about = '' }): Choice => ({ name: id, about }))
          const first = recommended.flatMap((id) => all.find(({ name }) => name === id) ?? [])
          const others = all.filter((each) => !first.includes(each))
          const given = { chosen, onChoose, most: mostPolicies - (own === '' ? 0 : 1) }
          return (
            <>
              <Choices all={first} {...given} />
              <details class="inside" open={others.some(({ name }) => chosen.includes(name))}>
                <summary>Presets</summary>
                <Choices all={others} {...given} />
              </details>
            </>
          )
        }}
      </Answered>
      <OwnPolicy text={own} onText={onOwn} />
    </fieldset>
  )
}

/** A policy written here; it is read as a policy file is before it counts. */
function OwnPolicy({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }): JSX.Element {
  const [draft, setDraft] = useState(text)
  const [told, setTold] = useState('')
  const check = async (): Promise<void> => {
    onText('')
    const policy: unknown = JSON.parse(draft)
    const { id, values } = await ask<PolicyExplained>('/v1/policies/check', { method: 'POST', body: policy })
    const others = values.filter(({ base, value }) => base !== undefined && base !== value)
    setTold(`${id} is in order: ${count(others.length || values.length)} values of its own or inherited.`)
    onText(draft)
  }
  return (
    <details class="inside">
      <summary>One written here</summary>
      <label>
        <span class="hidden-label">Policy, in JSON</span>
        <textarea
          rows={8}
          placeholder={example}
          value={draft}
          spellcheck={false}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </label>
      <div class="fields">
        <button
          type="button"
          onClick={() => void check().catch((error: unknown) => setTold(asProblem(error).message))}
          disabled={draft.trim() === ''}
        >
          Check and use
        </button>
        <span role="status">{told}</span>
      </div>
    </details>
  )
}

interface Choice {
  readonly name: string
  /** What it is called on the page, where that is not its name. */
  readonly shown?: string
  readonly about: string
}

interface ChoicesProps extends Choosing {
  readonly all: readonly Choice[]
  readonly most?: number
}

function Choices({ all, chosen, onChoose, most = Infinity }: ChoicesProps): JSX.Element {
  const toggle = (name: string): void =>
    onChoose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name])
  return (
    <ul class="choices">
      {all.map(({ name, shown = name, about }) => (
        <li key={name}>
          <label title={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= most}
              onChange={() => toggle(name)}
            />{' '}
            {shown} <span class="quiet">{about}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}
