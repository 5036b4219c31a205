import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { token } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import type { Answer } from '../api/use-answer.ts'

/** What an answer looks like before it is there, when it cannot be had, and when it is. */
export function Answered<T>({
  answer,
  children,
}: {
  readonly answer: Answer<T>
  readonly children: (data: T) => ComponentChildren
}): JSX.Element {
  const { data, problem, isWaiting, again } = answer
  return (
    <>
      {problem && <Problem problem={problem} again={again} />}
      {data !== undefined ? children(data) : isWaiting && <Waiting />}
    </>
  )
}

export function Waiting({ text = 'Loading …' }: { readonly text?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {text}
    </p>
  )
}

/** Says what went wrong and what can be done; asks for a token where that is what is missing. */
export function Problem({ problem, again }: { readonly problem: ApiProblem; readonly again: () => void }): JSX.Element {
  if (problem.status === 401) return <TokenForm message={problem.message} again={again} />
  return (
    <div class="problem" role="alert">
      <span>
        {problem.message} {problem.remedy}
      </span>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  )
}

function TokenForm({ message, again }: { readonly message: string; readonly again: () => void }): JSX.Element {
  const [value, setValue] = useState('')
  const send = (event: Event): void => {
    event.preventDefault()
    token.set(value.trim())
    again()
  }
  return (
    <form class="problem" onSubmit={send}>
      <span role="alert">{message}</span>
      <label>
        <span class="hidden-label">Token</span>
        <input
          type="password"
          autoComplete="off"
          placeholder="token"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="main">
        Open
      </button>
      <span class="quiet">It is kept for this tab alone.</span>
    </form>
  )
}

/** Where there is nothing to show: why, and what to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
