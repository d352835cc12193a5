import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { tempDir, tinyApp } from './harness.ts'

// If the double accepted everything, the other desktop tests would be worthless.

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

const WINDOW = '{ webPreferences: { sandbox: true, contextIsolation: true } }'
const REFUSE = `for (const kind of ['PermissionRequest', 'PermissionCheck', 'DevicePermission'])
  session.defaultSession['set' + kind + 'Handler'](() => false);`

describe('the double rejects what Electron rejects', () => {
  it.each([
    ['a fork before ready', `utilityProcess.fork(process.argv[1])`, 'utilityProcess.fork before'],
    ['a window before ready', `new BrowserWindow(${WINDOW})`, 'BrowserWindow before'],
    ['a session before ready', `session.defaultSession`, 'defaultSession before'],
    ['sealing before ready', `await safeStorage.encryptStringAsync('x')`, 'safeStorage before'],
    [
      'stdio that ends main on Windows',
      `await app.whenReady(); utilityProcess.fork(process.argv[1], [], { stdio: ['ignore', 'inherit', 'pipe'] })`,
      "stdio: 'inherit' beside 'inherit and pipe' ends main on Windows",
    ],
    [
      'incomplete stdio',
      `await app.whenReady(); utilityProcess.fork(process.argv[1], [], { stdio: ['ignore', 'pipe'] })`,
      'configuration missing for stdin, stdout or stderr.',
    ],
    [
      'a message to a utility process within its exit event',
      `await app.whenReady(); const child = utilityProcess.fork('/nowhere.js');
       child.on('exit', () => child.postMessage(1))`,
      'main crashed: it posted to a utility process that is ending',
    ],
    [
      'a scheme that is registered too late',
      `await app.whenReady(); protocol.registerSchemesAsPrivileged([])`,
      'registerSchemesAsPrivileged after',
    ],
    [
      'a window without sandbox',
      `await app.whenReady(); ${REFUSE} new BrowserWindow()`,
      'not sandboxed',
    ],
    [
      'a window while permissions are open',
      `await app.whenReady(); new BrowserWindow(${WINDOW})`,
      'Permissions are not refused',
    ],
    [
      'a window of a session that checks spelling',
      `await app.whenReady(); ${REFUSE} new BrowserWindow(${WINDOW})`,
      'spelling checker of the session is not disabled',
    ],
    [
      'a port that was transferred',
      `const { port1, port2 } = new MessageChannelMain(); await app.whenReady();
       const child = utilityProcess.fork('/nowhere.js'); child.postMessage(null, [port1]); port1.postMessage(1);
       child.postMessage(null, [port1])`,
      'Port at index 0 is already neutered.',
    ],
    [
      'unsealing something other than a Buffer',
      `await app.whenReady(); await safeStorage.decryptStringAsync(new Uint8Array(40))`,
      'not a Buffer',
    ],
    [
      'an app ID after the first notification',
      `await app.whenReady(); Notification.isSupported(); app.setAppUserModelId('late')`,
      'setAppUserModelId after the first notification',
    ],
    [
      'unsealing after userData has moved',
      `await app.whenReady(); const sealed = await safeStorage.encryptStringAsync('x');
       app.setPath('userData', import.meta.dirname); await safeStorage.decryptStringAsync(sealed)`,
      'unable to authenticate data',
    ],
  ])('%s', async (_name, body, message) => {
    using folder = tempDir()
    tinyApp(
      folder.path,
      `import { app, BrowserWindow, MessageChannelMain, Notification, protocol, safeStorage, session, utilityProcess } from 'electron'\n${body}`,
    )
    const app = desktop.start({ root: folder.path })
    expect(await app.exited).not.toBe(0)
    expect(app.output()).toContain(message)
  })
})
