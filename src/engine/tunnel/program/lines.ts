/** So much of a line is kept, in bytes; what follows up to its end is let go. */
const lineBytes = 16 * 1024

/** Cuts what a program writes into lines. Holds one line at most, however much comes and however long it is. */
export function lineReader(line: (text: string) => void): {
  write(chunk: Uint8Array): void
  /** What stood there without an end of line. */
  end(): void
} {
  let held: Buffer[] = []
  let bytes = 0
  const keep = (part: Buffer) => {
    const fits = part.subarray(0, lineBytes - bytes)
    if (fits.byteLength === 0) return
    held.push(fits)
    bytes += fits.byteLength
  }
  const tell = () => {
    const text = Buffer.concat(held).toString('utf8').trim()
    held = []
    bytes = 0
    if (text !== '') line(text)
  }
  return {
    write(chunk) {
      let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (;;) {
        const at = rest.indexOf(10)
        if (at === -1) break
        keep(rest.subarray(0, at))
        tell()
        rest = rest.subarray(at + 1)
      }
      // A copy: the chunk is a view of a larger buffer, which would be held with it.
      keep(Buffer.from(rest))
    },
    end: tell,
  }
}
