import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bytesWord, plainOrQuoted, quoted, shellComment } from '#engine/platform/posix-quote.ts'
import { hostile } from '#test/support/event-log/hostile.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const printed = (word: string, cwd: string): Buffer =>
  execFileSync('sh', ['-c', `printf '%s' ${word}`], { cwd })

it('quotes any bytes as one word with exactly these bytes', () => {
  const folder = tempFolder()
  const ends = hostile('x').replaceAll('\0', '')
  for (const text of [ends, "'", "''", '-n', '$HOME', '', 'é 世']) {
    expect(printed(quoted(text), folder).toString()).toBe(text)
    expect(printed(plainOrQuoted(text), folder).toString()).toBe(text)
  }
  const everyByte = Array.from({ length: 255 }, (_, at) => String.fromCharCode(at + 1)).join('')
  for (const bytes of [`${everyByte}.`, 'a\xe4', "\t'", '\xc3\xa9', ''])
    expect(printed(bytesWord(bytes), folder).toString('latin1')).toBe(bytes)
  expect(readdirSync(folder)).toEqual([])
})

it('does not quote a word without special characters', () => {
  expect(plainOrQuoted('PATCH')).toBe('PATCH')
  expect(bytesWord('X-A: \xc3\xa9')).toBe("'X-A: é'")
})

it('writes comments that run nothing in a shell without interactive comments', () => {
  const folder = tempFolder()
  for (const text of [hostile('x'), '; touch y', '$(touch y)', 'plain: 1, a/b', '> y', '=y']) {
    const line = shellComment(text)
    expect(line).toMatch(/^# [^\n\r]*$/)
    // An interactive zsh reads it as an unknown command with arguments.
    execFileSync('sh', ['-c', line.replace('#', ':')], { cwd: folder })
  }
  expect(readdirSync(folder)).toEqual([])
})
