import { expect, it, vi } from 'vitest'
import { lockFolder } from '#engine/platform/store/lock.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const native = vi.hoisted(() => {
  const state = { failure: new Error('none') }
  return {
    state,
    Database: function Database(this: void): never {
      throw state.failure
    },
  }
})
vi.mock('better-sqlite3', () => ({ default: native.Database }))

/** Messages of the system's loader and Node. */
const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code })

it.each([
  [
    "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /opt/Tabscope/linux-x64.node)",
    /^Tabscope requires glibc 2\.34 and libstdc\+\+ 11 or later, .*GLIBC_2\.34.*\. Use Debian 12, .* or later\.$/,
  ],
  [
    "/lib64/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /opt/Tabscope/linux-x64.node)",
    /^Tabscope requires glibc 2\.34 and libstdc\+\+ 11 or later, .*GLIBCXX_3\.4\.29/,
  ],
  [
    'dlopen(darwin-arm64.node): code signature not valid\nand more',
    /^Tabscope cannot load its database library \(dlopen\(darwin-arm64\.node\): code signature not valid\)\. Reinstall Tabscope\.$/,
  ],
])(
  'a database library that the system cannot load is reported, with what to do: %s',
  (message, sentence) => {
    native.state.failure = failed('ERR_DLOPEN_FAILED', message)
    expect(() => lockFolder(tempFolder())).toThrow(
      expect.objectContaining({ code: 'store_failed', message: expect.stringMatching(sentence) }),
    )
  },
)

it('a missing library and an unusable folder are distinguished', () => {
  native.state.failure = failed(
    'MODULE_NOT_FOUND',
    "Cannot find module '../build/better_sqlite3.node'",
  )
  expect(() => lockFolder(tempFolder())).toThrow(/cannot load its database library/)
  native.state.failure = failed('SQLITE_CANTOPEN', 'unable to open database file')
  expect(() => lockFolder(tempFolder())).toThrow(
    /Tabscope cannot store data in .* \(SQLITE_CANTOPEN\)/,
  )
})
