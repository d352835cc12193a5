import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { logFilesOf, maxLogFiles } from '#hosts/data-dir.ts'

const cwd = path.resolve('/somewhere')
const one = path.resolve('/logs/evening 1.tabscope')

describe('event logs in the start arguments', () => {
  it('are paths, relative to the working directory, among other arguments', () => {
    expect(logFilesOf(['--no-sandbox', '.', 'a.tabscope', one, 'b.txt'], cwd)).toEqual([
      path.join(cwd, 'a.tabscope'),
      one,
    ])
  })

  it('are file: URLs, as desktops pass them', () => {
    const odd = path.resolve('/logs/50% #1 ?äö.ndjson.gz')
    expect(logFilesOf([pathToFileURL(one).href, pathToFileURL(odd).href], cwd)).toEqual([one, odd])
    expect(
      logFilesOf([pathToFileURL(one).href.replace('file://', 'FILE://localhost')], cwd),
    ).toEqual([one])
  })

  it.each([
    ['another scheme', 'https://example.com/a.tabscope'],
    ['a link into the app', 'tabscope://log/1/a.tabscope'],
    ['another machine', 'file://server/share/a.tabscope'],
    ['another machine by slashes', 'file:////server/share/a.tabscope'],
    ['another machine by encoded slashes', 'file:///%5c%5cserver/share/a.tabscope'],
    ['a hidden ending', 'file:///logs/a.exe%00.tabscope'],
    ['an encoded slash', 'file:///logs%2fa.tabscope'],
    ['a question', 'file:///logs/a.exe?.tabscope'],
    ['a fragment', 'file:///logs/a.exe#.tabscope'],
    ['not an event log', 'file:///etc/passwd'],
    ['a NUL', '/logs/a\0.tabscope'],
    ['endless', `/${'a'.repeat(4000)}.tabscope`],
    ['a script', 'javascript:alert(1)//a.tabscope'],
    ['a folder', 'a.tabscope/'],
    ['a second ending', 'a.tabscope.exe'],
    ['empty', ''],
  ])('are not: %s', (_name, word) => {
    expect(logFilesOf([word], cwd)).toEqual([])
  })

  it('are limited in number, and a Windows drive is not mistaken for a URL scheme', () => {
    const many = Array.from({ length: 100 }, (_, index) => `C:\\logs\\${index}.har`)
    expect(logFilesOf(many, cwd)).toEqual(
      many.slice(0, maxLogFiles).map((file) => path.resolve(cwd, file)),
    )
  })
})
