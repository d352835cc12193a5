import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { freePort } from '#test/support/free-port.ts'
import { brokenApp, connected, tempDir, tinyApp } from './harness.ts'

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
  ])('%s', async (_name, body, message) => {
    using folder = tempDir()
    tinyApp(
      folder.path,
      `import { app, BrowserWindow, MessageChannelMain, protocol, safeStorage, session, utilityProcess } from 'electron'\n${body}`,
    )
    const app = desktop.start({ root: folder.path })
    expect(await app.exited).not.toBe(0)
    expect(app.output()).toContain(message)
  })
})

async function startBroken(folder: string) {
  const port = String(await freePort())
  return desktop.start({ root: folder, args: ['--data', `${folder}/data`, '--port', port] })
}

describe('a broken app fails under the double', () => {
  it('forks the engine before ready', async () => {
    using folder = tempDir()
    brokenApp(folder.path, 'main/electron-main.js', /await app\.whenReady\(\);/, '')
    const app = await startBroken(folder.path)
    expect(await app.exited).toBe(1)
    expect(app.output()).toContain("before the 'ready' event")
  })

  it.each([
    ['names a preload that is not there', 'main/electron-main.js', /preload\.cjs/, 'preload.js'],
    ['never starts the port', 'main/engine-process.js', /port\S*\.start\(\)/, ''],
    ['drops the port in the preload', 'preload/preload.cjs', /\[\.\.\.event\.ports\]/, '[]'],
    ['sends the port to another channel', 'preload/preload.cjs', /tabscope:port/, 'tabscope:Port'],
    ['never asks for the port', 'preload/preload.cjs', /ipcRenderer\.send\(/, '(() => {})('],
    ['requires Node in the preload', 'preload/preload.cjs', /^/, 'require("node:fs");'],
  ])('%s', async (_name, file, find, replace) => {
    using folder = tempDir()
    brokenApp(folder.path, file, find, replace)
    const app = await startBroken(folder.path)
    const page = await app.window()
    await expect.poll(() => app.output()).toContain('[window] shown')
    await expect(connected(page, 1_500)).rejects.toThrow('Timeout')
    app.kill('SIGKILL')
    await app.exited
  })

  it('serves the interface under another host', async () => {
    using folder = tempDir()
    brokenApp(folder.path, 'main/electron-main.js', /parsed\.host === \S+/, 'parsed.host === "x"')
    const app = await startBroken(folder.path)
    expect(await app.exited).toBe(1)
    expect(app.output()).toContain('could not be loaded (status 404)')
  })
})
