// Load this with `node --import` before the built main bundle, so that imports of 'electron' resolve to the double.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron')
      return { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
    return next(specifier, context)
  },
})
const { DOUBLE_NO_SYMLINKS, DOUBLE_RESOURCES } = process.env
// The path that the app uses as its own binary, so that tests see what it starts. The engine's process is started with this Node.
process.env['DOUBLE_NODE'] = process.execPath
// Simulates a folder on FAT or exFAT, in which symbolic links cannot be created.
if (DOUBLE_NO_SYMLINKS !== undefined) {
  const { symlinkSync } = fs
  fs.symlinkSync = (target, link, type) => {
    if (String(link).startsWith(DOUBLE_NO_SYMLINKS))
      throw Object.assign(new Error('EPERM: operation not permitted, symlink'), { code: 'EPERM' })
    symlinkSync(target, link, type)
  }
  syncBuiltinESMExports()
}
if (DOUBLE_RESOURCES !== undefined)
  Object.defineProperty(process, 'resourcesPath', { value: DOUBLE_RESOURCES })
process.env.DOUBLE_APP_PATH = path.resolve(path.dirname(process.argv[1] ?? ''), '../..')
if (process.env.DOUBLE_CWD !== undefined) process.chdir(process.env.DOUBLE_CWD)
Object.defineProperty(process, 'type', { value: 'browser' })
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-double' })
Object.defineProperty(process.versions, 'chrome', { value: '0.0.0.0-double' })
