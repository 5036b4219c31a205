import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualRowsProps {
  readonly count: number
  /** Of every row, in pixels. */
  readonly rowHeight: number
  /** Of the part that scrolls, in pixels, at most. */
  readonly height: number
  readonly label: string
  /** The row that is brought into view when it changes. */
  readonly selected?: number | undefined
  readonly row: (index: number) => ComponentChildren
  /** Told which rows are in view: from `first` to before `last`. */
  readonly onView?: (first: number, last: number) => void
  /** Told as the last rows come into view. */
  readonly onEnd?: () => void
}

const spare = 8

/** A long list of which only the rows in view are in the page. */
export function VirtualRows({
  count,
  rowHeight,
  height,
  label,
  selected,
  row,
  ...told
}: VirtualRowsProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + spare)
  useLayoutEffect(() => {
    const element = place.current
    if (!element || selected === undefined) return
    const at = selected * rowHeight
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight
  }, [selected, rowHeight])
  useLayoutEffect(() => {
    told.onView?.(first, last)
    if (last >= count - spare) told.onEnd?.()
  }, [first, last, count])
  return (
    <div
      ref={place}
      class="virtual"
      role="rowgroup"
      aria-label={label}
      style={{ maxHeight: `${height}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: `${count * rowHeight}px` }} role="presentation">
        <div style={{ transform: `translateY(${first * rowHeight}px)` }} role="presentation">
          {Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index))}
        </div>
      </div>
    </div>
  )
}
