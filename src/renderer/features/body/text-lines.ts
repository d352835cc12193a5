import { grown } from './json-index.ts'

/** A line of text longer than this is drawn in several: one endless line would freeze the page. */
const longestLine = 160
/** A marker is never longer (`#contract/masks.ts`). */
const longestMarker = 42

/** A text cut into the lines that are drawn. */
export interface TextLines {
  readonly count: number
  /** Where each drawn line begins in the text. */
  readonly starts: Int32Array
  /** Its number in the text, 0 when it goes on from the line above. */
  readonly numbers: Int32Array
}

export interface TextRow {
  readonly number: number
  readonly text: string
}

/** Arrays of numbers and nothing else: two million lines must not keep the collector of garbage busy. */
export function textLines(text: string): TextLines {
  let starts: Int32Array = new Int32Array(1024)
  let numbers: Int32Array = new Int32Array(1024)
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
    } while (at < end)
    from = end + 1
  }
  return { count, starts: starts.subarray(0, count), numbers }
}

/** The end of a drawn line that begins at `from`: never within a marker of a secret. */
function cutAt(text: string, from: number): number {
  const to = from + longestLine
  const line = text.slice(from, to)
  const opened = line.lastIndexOf('«')
  const within = opened > longestLine - longestMarker && !line.includes('»', opened)
  return within ? from + opened : to
}

export function textRow(text: string, lines: TextLines, index: number): TextRow {
  const from = lines.starts[index] ?? 0
  const line = text.slice(from, lines.starts[index + 1] ?? text.length)
  return {
    number: lines.numbers[index] ?? 0,
    text: line.endsWith('\n') ? line.slice(0, -1) : line,
  }
}
