import type { JSX } from 'preact'

/** Ids of what a page shows, folded: people go by names. */
export function Ids({ ids }: { readonly ids: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <details class="ids">
      <summary>Ids</summary>
      <dl class="facts">
        {Object.entries(ids).map(([name, id]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{id}</code>
            </dd>
          </>
        ))}
      </dl>
    </details>
  )
}
