import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { openLog } from '#hosts/log.ts'

let folder: string
let written: MockInstance
beforeEach(() => {
  folder = tempFolder()
  written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the log', () => {
  it('escapes control characters and line breaks', () => {
    expect(escapeControls('a\r\nb\u001B[31mc\u009Bd\u2028e')).toBe(
      String.raw`a\r\nb\u001b[31mc\u009bd\u2028e`,
    )
  })

  it('gives an error an ID that its line contains', () => {
    const cause = Object.assign(new Error('EMFILE: why\nnot'), { code: 'EMFILE' })
    const id = openLog(folder).error('No luck', cause)
    const lines = readFileSync(path.join(folder, 'tabscope.log'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/No luck: Error: EMFILE: why\\nnot\\n +at /)
    expect(lines[0]).toContain(`[${id}]`)
    // Without the stack and the text of the system.
    expect(String(written.mock.calls[0]?.[0]).slice('2026-11-27T00:00:00.000Z '.length)).toBe(
      `error [${id}] No luck. Too many files are open. Close other programs, or raise the limit on open files.\n`,
    )
  })

  it('does not recreate a deleted data folder, and still writes to stderr', () => {
    const gone = path.join(folder, 'data')
    openLog(gone).warn('The folder is gone.')
    expect(existsSync(gone)).toBe(false)
    expect(written).toHaveBeenCalledWith(expect.stringContaining('The folder is gone.'))
  })
})
