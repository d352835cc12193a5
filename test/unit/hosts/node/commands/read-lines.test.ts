import { expect, it } from 'vitest'
import { readLines } from '#hosts/node/commands/authorize.ts'

async function linesOf(chunks: readonly (string | Uint8Array)[], longest = 100): Promise<string[]> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  }
  const lines: string[] = []
  for await (const line of readLines(stream(), longest)) lines.push(line)
  return lines
}

it('splits lines independently of the chunks', async () => {
  const text = 'one\r\n\ntwo ü three\nlast'
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte))
  for (const chunks of [[text], bytes])
    expect(await linesOf(chunks)).toEqual(['one', '', 'two ü three', 'last'])
  expect(await linesOf([])).toEqual([])
  expect(await linesOf(['a\n'])).toEqual(['a'])
})

it('cuts lines that are too long, and continues with the next line', async () => {
  const chunks = ['x'.repeat(60), 'y'.repeat(60), 'z\nnext\n', `${'w'.repeat(200)}\nend`]
  expect(await linesOf(chunks)).toEqual([
    'x'.repeat(60) + 'y'.repeat(40),
    'next',
    'w'.repeat(100),
    'end',
  ])
})
