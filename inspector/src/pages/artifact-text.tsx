import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Artifact } from '../api/answers.ts'
import { request } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import { asProblem } from '../api/use-answer.ts'
import { bytes } from '../format.ts'
import { Problem, Waiting } from '../parts/states.tsx'

/** Bytes of a range. */
export const rangeBytes = 65_536

interface ArtifactTextProps {
  readonly path: string
  readonly artifact: Artifact
}

interface Read {
  readonly text: string
  readonly end: number
}

/** A text range by range, each asked for when somebody wants it. */
export function ArtifactText({ path, artifact }: ArtifactTextProps): JSX.Element {
  const { sizeBytes, version } = artifact
  const [read, setRead] = useState<Read>({ text: '', end: 0 })
  const [isWaiting, setIsWaiting] = useState(true)
  const [problem, setProblem] = useState<ApiProblem>()
  // A character may lie on both sides of the end of a range.
  const decoder = useRef(new TextDecoder())
  const more = async (start: number): Promise<void> => {
    setIsWaiting(true)
    setProblem(undefined)
    try {
      const end = Math.min(start + rangeBytes, sizeBytes)
      const asking = { params: { version }, ...(sizeBytes > 0 && { bytes: [start, end - 1] as const }) }
      const piece = await (await request(path, asking)).arrayBuffer()
      const text = decoder.current.decode(piece, { stream: end < sizeBytes })
      setRead((before) => ({ text: before.text + text, end }))
    } catch (error) {
      setProblem(asProblem(error))
    }
    setIsWaiting(false)
  }
  useEffect(() => void more(0), [])
  const { text, end } = read
  const left = sizeBytes - end
  return (
    <div class="inside artifact-text">
      {problem && <Problem problem={problem} again={() => void more(end)} />}
      {sizeBytes === 0 ? (
        <p class="quiet">It is empty.</p>
      ) : (
        text !== '' && (
          <pre role="group" aria-label="content" tabIndex={0}>
            {text}
          </pre>
        )
      )}
      {isWaiting && <Waiting />}
      {!isWaiting && left > 0 && !problem && (
        <p>
          <button type="button" onClick={() => void more(end)}>
            Show the next {bytes(Math.min(left, rangeBytes))}
          </button>{' '}
          <span class="quiet">
            {bytes(end)} of {bytes(sizeBytes)} are shown.
          </span>
        </p>
      )}
    </div>
  )
}
