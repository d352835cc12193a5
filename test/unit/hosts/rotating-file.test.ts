import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appendRotated } from '#hosts/log.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const rotation = { bytes: 100, keptFiles: 3 }
const line = (n: number): string => `${String(n).padStart(19, '0')}\n`

describe('a rotated file', () => {
  it('never exceeds its size, and keeps the newest lines in order', () => {
    const file = path.join(tempFolder(), 'a.log')
    for (let n = 0; n < 100; n += 1) appendRotated(file, line(n), rotation)
    const files = [3, 2, 1].map((n) => `${file}.${n}`).concat(file)
    expect(readdirSync(path.dirname(file))).toHaveLength(4)
    for (const each of files) expect(statSync(each).size).toBeLessThanOrEqual(100)
    const kept = files.flatMap((each) => readFileSync(each, 'utf8').trimEnd().split('\n'))
    expect(kept.map(Number)).toEqual(
      Array.from({ length: kept.length }, (_, i) => 100 - kept.length + i),
    )
    expect(kept.length).toBeGreaterThanOrEqual(16)
  })

  it('accepts a line that is larger than the file may be', () => {
    const file = path.join(tempFolder(), 'a.log')
    appendRotated(file, 'x'.repeat(150), rotation)
    appendRotated(file, line(1), rotation)
    expect(readFileSync(file, 'utf8')).toBe(line(1))
    expect(statSync(`${file}.1`).size).toBe(150)
  })

  it('does not grow without limit if it cannot be rotated', () => {
    const file = path.join(tempFolder(), 'a.log')
    // A file cannot replace a folder that is not empty.
    mkdirSync(path.join(`${file}.3`, 'held'), { recursive: true })
    const long = 'x'.repeat(1000)
    for (let n = 0; n < 200; n += 1) appendRotated(file, long, rotation)
    expect(statSync(file).size).toBeLessThanOrEqual(100 + 64 * 1024 + 1000)
  })
})
