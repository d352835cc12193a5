import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bytesWord, plainOrQuoted, quoted, shellComment } from '#engine/platform/posix-quote.ts'
import { hostile } from '#test/support/event-log/hostile.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const printed = (word: string, cwd: string): Buffer =>
  execFileSync('sh', ['-c', `printf '%s' ${word}`], { cwd })

it('quotes whatever there is, so that it is one word of these very bytes', () => {
  const folder = tempFolder()
  const ends = hostile('x').replaceAll('\0', '')
  for (const text of [ends, "'", "''", '-n', '$HOME', '', 'é 世']) {
    expect(printed(quoted(text), folder).toString()).toBe(text)
    expect(printed(plainOrQuoted(text), folder).toString()).toBe(text)
  }
  const everyByte = Array.from({ length: 255 }, (_, at) => String.fromCharCode(at + 1)).join('')
  for (const bytes of [`${everyByte}.`, 'a\xe4', "\t'", '\xc3\xa9', '']) {
    expect(printed(bytesWord(bytes), folder).toString('latin1')).toBe(bytes)
  }
  expect(readdirSync(folder)).toEqual([])
})

it('leaves what means nothing else as it is', () => {
  expect(plainOrQuoted('PATCH')).toBe('PATCH')
  expect(bytesWord('X-A: \xc3\xa9')).toBe("'X-A: é'")
})

it('comments so that nothing runs where a prompt knows no comments', () => {
  const folder = tempFolder()
  for (const text of [hostile('x'), '; touch y', '$(touch y)', 'plain: 1, a/b', '> y', '=y']) {
    const line = shellComment(text)
    expect(line).toMatch(/^# [^\n\r]*$/)
    // As zsh reads it at its prompt: an unknown command with arguments.
    execFileSync('sh', ['-c', line.replace('#', ':')], { cwd: folder })
  }
  expect(readdirSync(folder)).toEqual([])
})
