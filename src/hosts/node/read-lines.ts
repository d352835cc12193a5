/**
 * The lines of a stream of text, without their ends; the last one needs none. What is longer than `longest` characters is cut there, so that
 * a stream without line breaks does not fill the memory.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let line = ''
  for await (const chunk of chunks) {
    const [more = '', ...begun] = decoder.decode(chunk, { stream: true }).split('\n')
    line = (line + more).slice(0, longest)
    for (const next of begun) {
      yield line.replace(/\r$/, '')
      line = next.slice(0, longest)
    }
  }
  if (line !== '') yield line
}
