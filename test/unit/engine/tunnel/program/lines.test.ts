import { describe, expect, it } from 'vitest'
import { lineReader } from '#engine/tunnel/program/child.ts'

function read(...chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = []
  const reader = lineReader((line) => lines.push(line))
  for (const chunk of chunks) reader.write(chunk)
  reader.end()
  return lines
}

describe('The lines of a program', () => {
  it('are reported one by one, regardless of the chunks', () => {
    const bytes = Buffer.from('first\r\nsecond žofie\n\n  \nlast')
    const whole = ['first', 'second žofie', 'last']
    expect(read(bytes)).toEqual(whole)
    expect(read(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(whole)
  })

  it('are truncated at 16 KiB, and the next one is complete', () => {
    const [long, next] = read(Buffer.alloc(3_000_000, 'a'), Buffer.from('b\nnext\n'))
    expect(long).toBe('a'.repeat(16 * 1024))
    expect(next).toBe('next')
  })

  it('do not keep the memory of their chunks', () => {
    const lines: string[] = []
    const reader = lineReader((line) => lines.push(line))
    const chunk = Buffer.from('begun')
    reader.write(chunk)
    chunk.fill('x')
    reader.write(Buffer.from(' and ended\n'))
    expect(lines).toEqual(['begun and ended'])
  })
})
