import type { JSX } from 'preact'
import { ago, dateAndTime } from '../format.ts'

/** How long ago something was, or how soon it will be; the time itself on hover. */
export function When({ ms }: { readonly ms: number | null | undefined }): JSX.Element {
  if (ms == null) return <>never</>
  return (
    <time dateTime={new Date(ms).toISOString()} title={dateAndTime(ms)}>
      {ago(ms, Date.now())}
    </time>
  )
}
