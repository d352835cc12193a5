import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { BAD_APP } from '#test/support/electron-checks/bad-app.ts'
import { checkApp } from '#test/support/electron-checks/checks.ts'
import { EXPLAINED } from '#test/support/electron-checks/explained.ts'
import type { Finding } from '#test/support/electron-checks/finding.ts'

const root = path.resolve(import.meta.dirname, '../..')
const at = ({ id, file, line }: Finding): string => `${id} ${file}:${line}`

/** What is found above informational, with its line as it is. */
const tellOf = (app: Readonly<Record<string, string>>): string[] =>
  checkApp(app)
    .filter(({ severity }) => severity !== 'INFORMATIONAL')
    .map(({ id, file, line }) => {
      const code = app[file]?.split('\n')[line - 1]?.trim() ?? ''
      return `${id} ${file}: ${code}`
    })

describe("electronegativity's checks", () => {
  const recorded: Finding[] = JSON.parse(
    readFileSync(path.join(root, 'test/support/electron-checks/recorded.json'), 'utf8'),
  )
  const found = checkApp(BAD_APP).map(at)

  it('find everything that electronegativity finds in an insecure app', () => {
    // It follows no name to where the options are written, and takes options that are there for missing.
    const followed = ['CONTEXT_ISOLATION_JS_CHECK main.js:24', 'SANDBOX_JS_CHECK main.js:24']
    expect(recorded.length).toBeGreaterThan(30)
    expect(
      recorded.map(at).filter((one) => !found.includes(one) && !followed.includes(one)),
    ).toEqual([])
  })

  it('find more than electronegativity', () => {
    const known = recorded.map(at)
    expect(found.filter((one) => !known.includes(one))).toEqual([
      'PRELOAD_HTML_CHECK index.html:3',
      'WEBVIEW_TAG_HTML_CHECK index.html:3',
      'NODE_INTEGRATION_JS_CHECK main.js:14',
      'NODE_INTEGRATION_JS_CHECK main.js:15',
      'NODE_INTEGRATION_JS_CHECK main.js:16',
      'WEB_SECURITY_JS_CHECK main.js:23',
      'PERMISSION_REQUEST_HANDLER_JS_CHECK main.js:30',
    ])
  })

  it.each([
    ['options that come from elsewhere', 'new BrowserWindow(given)', 'CONTEXT_ISOLATION_JS_CHECK'],
    ['a window without options', 'new BrowserWindow()', 'SANDBOX_JS_CHECK'],
    [
      'an option that is computed',
      'const o = { webSecurity: !wild }; new BrowserWindow(o)',
      'WEB_SECURITY_JS_CHECK',
    ],
    ['a webview', 'export const o = { webviewTag: true }', 'WEBVIEW_TAG_JS_CHECK'],
    ['a page from a file', "window.loadFile('index.html')", 'FILE_PROTOCOL_JS_CHECK'],
    ['a switch that is computed', 'app.commandLine.appendSwitch(s)', 'CUSTOM_ARGUMENTS_JS_CHECK'],
    ['code into a page', 'contents.executeJavaScript(`x(${y})`)', 'DANGEROUS_FUNCTIONS_JS_CHECK'],
    ['a timer with text', "setTimeout('x()', 1)", 'DANGEROUS_FUNCTIONS_JS_CHECK'],
    ['a function of text', 'new Function(x)', 'DANGEROUS_FUNCTIONS_JS_CHECK'],
    ['a policy', `const p = "script-src 'self' 'unsafe-inline'"`, 'CSP_GLOBAL_CHECK'],
    ['messages of any page', "import { ipcMain } from 'electron'", 'IPC_SENDER_JS_CHECK'],
    ['messages of a page', "contents.ipc.on('x', take)", 'IPC_SENDER_JS_CHECK'],
    ['messages of a frame', "frame.ipc.handle('x', take)", 'IPC_SENDER_JS_CHECK'],
    [
      'a part of Electron that a page gets',
      "contextBridge.exposeInMainWorld('x', { send: ipcRenderer.send })",
      'EXPOSED_API_JS_CHECK',
    ],
    ['no limit to navigation', 'new BrowserWindow()', 'LIMIT_NAVIGATION_GLOBAL_CHECK'],
    ['open permissions', 'app.quit()', 'PERMISSION_REQUEST_HANDLER_GLOBAL_CHECK'],
  ])('find %s', (_name, code, id) => {
    const text = `import { app, BrowserWindow } from 'electron'\n${code}`
    expect(checkApp({ 'main.ts': text }).map((one) => one.id)).toContain(id)
  })

  it('do not skip a module that they cannot read', () => {
    expect(() => checkApp({ 'main.ts': "import 'electron'; const = 1" })).toThrow(
      'main.ts is not understood',
    )
  })
})

describe('what they find in Tabscope', () => {
  const files = globSync('{src/**/*.{ts,tsx,mjs,html},*.config.ts,package.json}', { cwd: root })
  const texts = Object.fromEntries(
    files.map((file) => [
      file.replaceAll(path.sep, '/'),
      readFileSync(path.join(root, file), 'utf8'),
    ]),
  )
  const reported = tellOf(texts)
  const explained = EXPLAINED.map(({ id, file, code }) => `${id} ${file}: ${code}`)

  it('covers every file', () => {
    expect(files.length).toBeGreaterThan(500)
    for (const file of ['src/hosts/electron/main.ts', 'src/renderer/index.html', 'package.json'])
      expect(Object.keys(texts)).toContain(file)
  })

  it('is explained, and no explanation is outdated', () => {
    expect([...new Set(reported)].toSorted()).toEqual(explained.toSorted())
    for (const { why } of EXPLAINED) expect(why.length).toBeGreaterThan(30)
  })

  // Breaking a point of the checklist with one word is reported (`.github/SECURITY.md`).
  it.each([
    ['window/window.ts', 'contextIsolation: true', 'contextIsolation: false'],
    ['window/window.ts', 'sandbox: true', 'sandbox: false'],
    ['window/window.ts', 'nodeIntegration: false', 'nodeIntegration: true'],
    ['window/window.ts', 'webSecurity: true', 'webSecurity: false'],
    ['window/window.ts', 'allowRunningInsecureContent: false', 'allowRunningInsecureContent: true'],
    ['window/window.ts', 'experimentalFeatures: false', 'experimentalFeatures: true'],
    ['window/window.ts', 'spellcheck: false', "spellcheck: false, enableBlinkFeatures: 'X'"],
    ['window/window.ts', 'webviewTag: false', 'webviewTag: true'],
    ['window/window.ts', 'window.loadURL(url)', 'window.loadFile(url)'],
    ['authorization/session.ts', 'contextIsolation: true', 'contextIsolation: false'],
    ['authorization/session.ts', 'sandbox: true', 'sandbox: false'],
    ['authorization/session.ts', 'nodeIntegration: false', 'nodeIntegration: true'],
    ['authorization/session.ts', 'webSecurity: true', 'webSecurity: false'],
    ['authorization/session.ts', 'javascript: true', "javascript: true, preload: '/x.cjs'"],
    ['authorization/session.ts', 'webviewTag: false', 'webviewTag: true'],
    ['open-external.ts', 'shell.openExternal(url.href)', 'shell.openExternal(address)'],
    ['protocol.ts', `"script-src 'self'"`, `"script-src 'self' 'unsafe-eval'"`],
    ['preload.ts', "'tabscopeHost', 'electron'", "'tabscopeHost', ipcRenderer"],
    ['power.ts', "from 'electron'", "from 'electron'\nimport { ipcMain } from 'electron'"],
    ['guards.ts', 'app.enableSandbox()', "app.commandLine.appendSwitch('no-sandbox')"],
    ['guards.ts', "'select-client-certificate'", "'certificate-error'"],
    ['../../renderer/index.html', '<body>', '<body><webview allowpopups></webview>'],
  ])('of %s would show %j written as %j', (name, right, wrong) => {
    const file = path.posix.join('src/hosts/electron', name)
    const text = texts[file] ?? ''
    expect(text).toContain(right)
    // The file alone: to read all of them for each takes a second.
    const before = tellOf({ [file]: text })
    const after = tellOf({ [file]: text.replace(right, wrong) })
    expect(after.filter((one) => !before.includes(one) && !explained.includes(one))).not.toEqual([])
  })
})
