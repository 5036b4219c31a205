import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf, home, useAddress } from '../address.ts'
import type { Artifact as Told } from '../api/answers.ts'
import { ask } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { asProblem } from '../api/use-answer.ts'
import { bytes } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty, Problem } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { When } from '../parts/when.tsx'
import { ArtifactText } from './artifact-text.tsx'
import { classWords, isTextual } from './artifact-words.ts'

/** One artifact: its versions, their holds, and the text of the one that is chosen. */
export function Artifact(): JSX.Element {
  const { params } = useRoute()
  const { query } = useAddress()
  const { task = '', step = '', name = '' } = params
  const path = `tasks/${task}/${step}/${name}`
  const answer = useAllPages<Told>('/v1/artifacts', { list: path, versions: 'true' }, { limit: 200, most: 1000 })
  const [problem, setProblem] = useState<ApiProblem>()
  const hold = (on: boolean, version?: number): void => {
    setProblem(undefined)
    ask(`/v1/artifacts/${path}/hold`, { method: 'POST', body: { on, ...(version !== undefined && { version }) } }).then(
      answer.again,
      (error: unknown) => setProblem(asProblem(error)),
    )
  }
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}artifacts`}>Artifacts</a> /{' '}
          <a href={`${home}artifacts?list=${encodeURIComponent(`tasks/${task}/`)}`}>{task}</a>
        </p>
        <Title text={name} isCode />
      </header>
      {problem && <Problem problem={problem} again={() => setProblem(undefined)} />}
      <Answered answer={answer}>
        {(found) => {
          const versions = found
            .filter(({ uri }) => uri === `artifact://${path}`)
            .toSorted((one, other) => other.version - one.version)
          const shown = versions.find(({ version }) => String(version) === query['version']) ?? versions[0]
          if (shown === undefined) return <NotThere path={path} />
          return (
            <>
              <Facts artifact={shown} />
              <Versions rows={versions} shown={shown} hold={hold} />
              <Content key={shown.version} path={path} artifact={shown} />
            </>
          )
        }}
      </Answered>
    </div>
  )
}

function NotThere({ path }: { readonly path: string }): JSX.Element {
  return (
    <section class="panel">
      <Empty title="There is no such artifact">
        <p>It was removed, has expired, or belongs to another tenant. These paths are near it:</p>
        <pre>{`prehend artifacts list ${path.split('/').slice(0, 2).join('/')}/ --url ${location.origin}`}</pre>
      </Empty>
    </section>
  )
}

function Facts({ artifact }: { readonly artifact: Told }): JSX.Element {
  const { uri, version, mediaType, sizeBytes, sha256, session, requestId } = artifact
  return (
    <section class="panel">
      <dl class="facts inside">
        <dt>URI</dt>
        <dd class="mono">{uri}</dd>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Media type</dt>
        <dd>
          {mediaType}, {bytes(sizeBytes)}
        </dd>
        <dt>Class</dt>
        <dd>{classWords(artifact.class)}</dd>
        <dt>SHA-256</dt>
        <dd class="mono">{sha256}</dd>
        {session !== undefined && (
          <>
            <dt>Session</dt>
            <dd>
              <a href={addressOf.session(session)}>{session}</a>
            </dd>
          </>
        )}
        {requestId !== undefined && (
          <>
            <dt>Request</dt>
            <dd>
              <a href={addressOf.request(requestId)}>{requestId}</a>
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

interface VersionsProps {
  readonly rows: readonly Told[]
  readonly shown: Told
  readonly hold: (on: boolean, version?: number) => void
}

function Versions({ rows, shown, hold }: VersionsProps): JSX.Element {
  const isHeld = rows.every((row) => row.hold)
  return (
    <section class="panel">
      <header>
        <h2>Versions</h2>
        <p>A legal hold keeps a version: it is neither removed nor expires. It takes the scope admin.</p>
        {rows.length > 1 && (
          <button type="button" onClick={() => hold(!isHeld)}>
            {isHeld ? 'Lift the hold of all' : 'Hold all'}
          </button>
        )}
      </header>
      <SortedTable
        caption="Versions"
        columns={[versionColumn(shown), ...columns, holdColumn(hold)]}
        rows={rows}
        shownFirst={20}
        keyOf={({ version }) => String(version)}
      />
    </section>
  )
}

function versionColumn(shown: Told): Column<Told> {
  return {
    name: 'version',
    title: 'Version',
    cell: (row) => (
      <a
        href={`${addressOf.artifact(row.uri)}?version=${row.version}`}
        aria-current={row === shown ? 'true' : undefined}
      >
        {row.version}
      </a>
    ),
    by: ({ version }) => version,
  }
}

const columns: readonly Column<Told>[] = [
  { name: 'size', title: 'Size', isNumber: true, cell: (row) => bytes(row.sizeBytes), by: (row) => row.sizeBytes },
  {
    name: 'created',
    title: 'Stored',
    cell: ({ createdMs }) => <When ms={createdMs} />,
    by: ({ createdMs }) => createdMs,
  },
]

function holdColumn(hold: VersionsProps['hold']): Column<Told> {
  return {
    name: 'hold',
    title: 'Legal hold',
    cell: (row) => (
      <>
        {row.hold && <span class="chip warn">on hold</span>}{' '}
        <button type="button" class="plain" onClick={() => hold(!row.hold, row.version)}>
          {row.hold ? 'Lift' : 'Hold'}
          <span class="hidden-label"> version {row.version}</span>
        </button>
      </>
    ),
    by: (row) => (row.hold ? 0 : 1),
  }
}

interface ContentProps {
  readonly path: string
  readonly artifact: Told
}

function Content({ path, artifact }: ContentProps): JSX.Element {
  const { mediaType, version } = artifact
  return (
    <section class="panel">
      <header>
        <h2>Content</h2>
      </header>
      {isTextual(mediaType) ? (
        <ArtifactText path={`/v1/artifacts/${path}`} artifact={artifact} />
      ) : (
        <Empty title="It is no text">
          <p>Save it to a file to look at it:</p>
          <pre>{`prehend artifacts get ${path} --version ${version} --url ${location.origin} > ${path.split('/').at(-1)}`}</pre>
        </Empty>
      )}
    </section>
  )
}
