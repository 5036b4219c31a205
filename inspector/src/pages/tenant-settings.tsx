import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TenantSettings } from '../api/answers.ts'
import { ApiProblem, ask } from '../api/client.ts'
import { asProblem } from '../api/use-answer.ts'
import { count } from '../format.ts'
import { Problem } from '../parts/states.tsx'
import { SureButton } from '../parts/sure-button.tsx'
import { When } from '../parts/when.tsx'

interface SettingsProps {
  readonly told: TenantSettings
  readonly path: string
  readonly changed: () => void
}

/** What is stored as settings of a tenant, as a text that can be changed. */
export function Settings({ told, path, changed }: SettingsProps): JSX.Element {
  const { revision, settings } = told
  const stored = JSON.stringify(settings, undefined, 2)
  const [text, setText] = useState(stored)
  const [problem, setProblem] = useState<ApiProblem>()
  const change = async (make: () => Promise<unknown>): Promise<void> => {
    setProblem(undefined)
    try {
      await make()
      changed()
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  const save = (event: Event): void => {
    event.preventDefault()
    void change(() => ask(path, { method: 'PUT', params: { revision }, body: read(text) }))
  }
  const remove = (): void => void change(() => ask(path, { method: 'DELETE', params: { revision } }))
  return (
    <section class="panel settings">
      <header>
        <h2>Settings</h2>
        <Standing told={told} />
      </header>
      {problem && <Problem problem={problem} again={() => setProblem(undefined)} />}
      <form class="inside" onSubmit={save}>
        <label>
          <span class="quiet">
            They go before <code>tenants.NAME</code> of the configuration, and have the same members. A change takes the
            scope operator.
          </span>
          <textarea value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <div class="actions">
          <button type="submit" class="main" disabled={text === stored}>
            Save
          </button>
          {text !== stored && (
            <button type="button" onClick={() => setText(stored)}>
              Undo
            </button>
          )}
          {revision > 0 && (
            <SureButton label="Remove" sure="Remove all: the configuration holds again" onSure={remove} />
          )}
        </div>
      </form>
    </section>
  )
}

function Standing({ told }: { readonly told: TenantSettings }): JSX.Element {
  const { revision, inForce, writtenMs } = told
  if (revision === 0) return <p role="status">None are stored: those of the configuration hold.</p>
  return (
    <p role="status">
      Revision {count(revision)}, {inForce === revision ? 'in force' : `revision ${count(inForce)} is in force here`}
      {writtenMs !== undefined && (
        <>
          , written <When ms={writtenMs} />
        </>
      )}
    </p>
  )
}

/** Throws `ApiProblem` where it is no JSON; what else is wrong with it the gateway says. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ApiProblem(`The settings are no JSON: ${why}.`, { status: 0 })
  }
}
