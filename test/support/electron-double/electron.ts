/** What `import … from 'electron'` gives the main bundle. Only what it uses, so that anything else is an error at once. */
export { app } from './app.ts'
export { BrowserWindow } from './windows.ts'
export { ipcMain } from './ipc.ts'
export { MessageChannelMain } from './ports.ts'
export { dialog, nativeTheme, protocol, safeStorage, shell } from './services.ts'
export { autoUpdater, net } from './net.ts'
export { session } from './sessions.ts'
export { utilityProcess } from './utility.ts'
