import { useCallback } from 'react'
import { cx } from '../../components/cx.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
import { BodyComing } from './BodyComing.tsx'
import type { Sliced } from './in-slices.ts'
import { useSliced } from './in-slices.ts'
import { Marked } from './Marked.tsx'
import { lastUpTo, places } from './search.ts'
import type { Search } from './use-search.ts'
import { useHits } from './use-search.ts'

/** A line of text longer than this is drawn in several: one endless line would freeze the page. */
const longestLine = 160
/** Up to this many characters are cut and searched at once. */
const small = 512 * 1024
/** A marker is never longer (`#contract/masks.ts`). */
const longestMarker = 42

interface Cut {
  readonly count: number
  /** Where each drawn line begins in the text. */
  readonly starts: Int32Array
  /** Its number in the text, 0 when it goes on from the line above. */
  readonly numbers: Int32Array
}

function* cutLines(text: string): Sliced<Cut> {
  // Arrays of numbers and nothing else: two million lines must not keep the collector of garbage busy.
  let starts = new Int32Array(1024)
  let numbers = new Int32Array(1024)
  let count = 0
  let line = 1
  for (let from = 0; from <= text.length; line++) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    let at = from
    do {
      if (count === starts.length) {
        starts = grown(starts)
        numbers = grown(numbers)
      }
      starts[count] = at
      numbers[count] = at === from ? line : 0
      count += 1
      at = end - at <= longestLine ? end : cutAt(text, at)
      if (count % 4096 === 0) yield
    } while (at < end)
    from = end + 1
  }
  return { count, starts: starts.subarray(0, count), numbers }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** The end of a drawn line that begins at `from`: never within a marker of a secret. */
function cutAt(text: string, from: number): number {
  const to = from + longestLine
  const line = text.slice(from, to)
  const opened = line.lastIndexOf('«')
  const within = opened > longestLine - longestMarker && !line.includes('»', opened)
  return within ? from + opened : to
}

/** The body as the text it is, nothing laid out anew. */
export function TextView({ text, search }: { readonly text: string; readonly search: Search }) {
  const { wanted } = search
  const lines = useSliced(
    useCallback(() => cutLines(text), [text]),
    text.length <= small,
  )
  const hits = useSliced(
    useCallback(
      () => places(text.length, (from, to) => text.slice(from, to), wanted),
      [text, wanted],
    ),
    wanted === '' || text.length <= small,
  )
  const hit = useHits(search, hits)
  if (lines === null) return <BodyComing />
  const { count, starts, numbers } = lines
  const hitLine = hit === null ? null : lastUpTo(starts, hit)
  return (
    <VirtualLines
      label="Body as text"
      count={count}
      reveal={hitLine}
      renderLine={(index) => {
        const from = starts[index] ?? 0
        const end = starts[index + 1] ?? text.length
        return (
          <div className={cx('text-line', index === hitLine && 'tree-now')}>
            <span className="line-number" aria-hidden>
              {numbers[index] === 0 ? '↪' : numbers[index]}
            </span>
            <Marked text={withoutNewline(text.slice(from, end))} wanted={wanted} />
          </div>
        )
      }}
    />
  )
}

function withoutNewline(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}
