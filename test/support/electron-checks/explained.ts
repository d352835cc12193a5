/** A finding that was reviewed and is not a fault. It applies to the exact line, so a changed line must be reviewed again. */
interface Explained {
  readonly id: string
  readonly file: string
  /** The line without indentation. */
  readonly code: string
  readonly why: string
}

const SESSION_OPTIONS = {
  file: 'src/hosts/electron/authorization/window.ts',
  code: 'const first = new BrowserWindow(runSession.windowOptions)',
} as const

export const EXPLAINED: readonly Explained[] = [
  {
    ...SESSION_OPTIONS,
    id: 'CONTEXT_ISOLATION_JS_CHECK',
    why: 'The options are those of authorization-session.ts, where contextIsolation stands; the double refuses a window without it.',
  },
  {
    ...SESSION_OPTIONS,
    id: 'SANDBOX_JS_CHECK',
    why: 'The options are those of authorization-session.ts, where sandbox stands; the double refuses a window without it.',
  },
  {
    ...SESSION_OPTIONS,
    id: 'AUXCLICK_JS_CHECK',
    why: 'A middle click asks the open handler like every new window, and what it opens lives in the session of the run.',
  },
  {
    id: 'AUXCLICK_JS_CHECK',
    file: 'src/hosts/electron/window/window.ts',
    code: 'const window = new BrowserWindow({',
    why: 'A middle click asks the open handler, which denies every window.',
  },
  {
    id: 'PRELOAD_JS_CHECK',
    file: 'src/hosts/electron/window/window.ts',
    code: 'preload,',
    why: 'One preload of ours, isolated and sandboxed, which exposes a word and passes a port on. The authorization window has none.',
  },
  {
    id: 'OPEN_EXTERNAL_JS_CHECK',
    file: 'src/hosts/electron/open-external.ts',
    code: 'await shell.openExternal(url.href)',
    why: 'Three lines above it every scheme but http and https is refused, by the parsed address.',
  },
  {
    id: 'OPEN_EXTERNAL_JS_CHECK',
    file: 'src/hosts/electron/engine/run.ts',
    code: 'const opened = await services.openExternal(message.url)',
    why: 'Not of Electron: it calls open-external.ts, which judges the address.',
  },
  {
    id: 'OPEN_EXTERNAL_JS_CHECK',
    file: 'src/engine/oauth/agents/open-page.ts',
    code: 'const opened = await ports.openExternal(link.address).catch(() => false)',
    why: "The engine's port: in the desktop app it leads to open-external.ts, which judges the address.",
  },
  {
    id: 'OPEN_EXTERNAL_JS_CHECK',
    file: 'src/engine/sandbox/routes.ts',
    code: 'return { opened: dashboardUrl !== null && (await ports.openExternal(dashboardUrl)) }',
    why: "The engine's port, with an address of our own on loopback.",
  },
  {
    id: 'SANDBOX_JS_CHECK',
    file: 'src/hosts/electron/engine-process/entry.ts',
    code: 'sandbox: createSandbox(),',
    why: 'Not an option of a window: the made-up service that the engine is given.',
  },
  {
    id: 'IPC_SENDER_JS_CHECK',
    file: 'src/hosts/electron/ipc.ts',
    code: 'ipcMain.on(channel, (event: IpcMainEvent, ...args: unknown[]) => {',
    why: 'The one place where messages of pages are taken: it asks first who has sent one.',
  },
  {
    id: 'IPC_SENDER_JS_CHECK',
    file: 'src/hosts/electron/ipc.ts',
    code: "import { ipcMain, type IpcMainEvent, type WebContents, type WebFrameMain } from 'electron'",
    why: 'The one place where messages of pages are taken: it asks first who has sent one.',
  },
  {
    id: 'PERMISSION_REQUEST_HANDLER_JS_CHECK',
    file: 'src/hosts/electron/permissions.ts',
    code: 'session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))',
    why: 'It refuses each permission, in the session of every run.',
  },
  {
    id: 'PERMISSION_REQUEST_HANDLER_JS_CHECK',
    file: 'src/hosts/electron/permissions.ts',
    code: 'session.setPermissionRequestHandler((_contents, permission, answer, details) =>',
    why: 'It refuses each permission but to put text on the clipboard, and that for all but the interface.',
  },
  {
    id: 'PROTOCOL_HANDLER_JS_CHECK',
    file: 'src/hosts/electron/protocol.ts',
    code: 'protocol.handle(APP_SCHEME, serve)',
    why: 'It answers GET and HEAD for files of the built interface, by a path that is compared after it was decoded and joined; in a checkout under `npm run dev`, for those of the development server.',
  },
]
