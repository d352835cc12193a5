/**
 * Source files, by path, of an app with all known security faults. `recorded.json` contains the findings of electronegativity 1.10.3 for these files.
 * After a change, record the findings again (see `SECURITY.md`).
 */
export const BAD_APP: Readonly<Record<string, string>> = {
  'main.js': `import { app, BrowserWindow, session, shell } from 'electron'
process.env.ELECTRON_DISABLE_SECURITY_WARNINGS = 'true'
app.commandLine.appendSwitch('remote-debugging-port', '9222')
app.setAsDefaultProtocolClient('bad')
const window = new BrowserWindow({
  webPreferences: {
    affinity: 'one',
    allowRunningInsecureContent: true,
    contextIsolation: false,
    disableBlinkFeatures: 'None',
    enableBlinkFeatures: 'CSSVariables',
    enableRemoteModule: true,
    experimentalFeatures: true,
    nodeIntegration: true,
    nodeIntegrationInWorker: true,
    nodeIntegrationInSubFrames: true,
    preload: '/preload.js',
    sandbox: false,
    webSecurity: false,
  },
})
const other = new BrowserWindow({ webPreferences: { affinity: 'one' } })
const shared = { webPreferences: { contextIsolation: true, sandbox: true, webSecurity: false } }
const third = new BrowserWindow(shared)
window.loadURL('http://example.com/')
window.webContents.insertCSS(other.title)
app.on('certificate-error', (event) => event.preventDefault())
session.defaultSession.setCertificateVerifyProc((request, answer) => answer(0))
app.importCertificate({ certificate: '/c', password: '' }, () => undefined)
session.defaultSession.setPermissionRequestHandler((contents, permission, answer) => answer(true))
app.on('will-attach-webview', (event, webPreferences) => {
  webPreferences.nodeIntegration = true
})
shell.openExternal(other.title)
eval('1 + ' + other.title)
session.defaultSession.webRequest.onHeadersReceived((details, answer) => {
  answer({ responseHeaders: { 'Content-Security-Policy': ["script-src 'unsafe-inline'"] } })
})
`,
  'index.html': `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-eval' *">
<webview src="http://example.com/" preload="/preload.js" nodeintegration disablewebsecurity allowpopups
  webpreferences="allowRunningInsecureContent=yes, affinity=one, contextIsolation=no"
  blinkfeatures="CSSVariables"></webview>
`,
  'package.json': `{
  "name": "bad-app",
  "main": "main.js",
  "scripts": {
    "start": "electron . --remote-debugging-port=9222",
    "quiet": "ELECTRON_DISABLE_SECURITY_WARNINGS=1 electron ."
  },
  "devDependencies": { "electron": "11.5.0" }
}
`,
}
