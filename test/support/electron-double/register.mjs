// `node --import` this before the built main bundle: whatever imports 'electron' gets the double.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron') {
      return { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
    }
    return next(specifier, context)
  },
})
const { DOUBLE_RESOURCES, DOUBLE_NO_SYMLINKS } = process.env
// As on FAT and exFAT: a folder in which no symbolic link can be made.
if (DOUBLE_NO_SYMLINKS !== undefined) {
  const { symlinkSync } = fs
  fs.symlinkSync = (target, path, type) => {
    if (String(path).startsWith(DOUBLE_NO_SYMLINKS)) {
      throw Object.assign(new Error('EPERM: operation not permitted, symlink'), { code: 'EPERM' })
    }
    symlinkSync(target, path, type)
  }
  syncBuiltinESMExports()
}
if (DOUBLE_RESOURCES !== undefined) {
  Object.defineProperty(process, 'resourcesPath', { value: DOUBLE_RESOURCES })
}
Object.defineProperty(process, 'type', { value: 'browser' })
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-double' })
Object.defineProperty(process.versions, 'chrome', { value: '0.0.0.0-double' })
