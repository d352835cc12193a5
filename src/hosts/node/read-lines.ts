/** Without line breaks. Cuts lines at `maxLength` characters, so that a stream without line breaks does not fill the memory. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let line = ''
  for await (const chunk of chunks) {
    const [more = '', ...nextLines] = decoder.decode(chunk, { stream: true }).split('\n')
    line = (line + more).slice(0, maxLength)
    for (const next of nextLines) {
      yield line.replace(/\r$/, '')
      line = next.slice(0, maxLength)
    }
  }
  if (line !== '') yield line
}
