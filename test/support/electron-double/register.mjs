// `node --import` this before the built main bundle: whatever imports 'electron' gets the double.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron') {
      return { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
    }
    return next(specifier, context)
  },
})
const { DOUBLE_PROGRAM, DOUBLE_RESOURCES } = process.env
// What the app takes for its own binary, so that a test sees what it starts. The engine's process is started by this Node.
process.env['DOUBLE_NODE'] = process.execPath
if (DOUBLE_PROGRAM !== undefined) process.execPath = DOUBLE_PROGRAM
if (DOUBLE_RESOURCES !== undefined) {
  Object.defineProperty(process, 'resourcesPath', { value: DOUBLE_RESOURCES })
}
Object.defineProperty(process, 'type', { value: 'browser' })
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-double' })
Object.defineProperty(process.versions, 'chrome', { value: '0.0.0.0-double' })
