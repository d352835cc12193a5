/** What `import … from 'electron'` gives the main bundle. Only what it uses, so that anything else is an error at once. */
export { app } from './app.ts'
export { BrowserWindow, ipcMain } from './windows.ts'
export { MessageChannelMain } from './ports.ts'
export { dialog, nativeTheme, protocol, safeStorage, session } from './services.ts'
export { utilityProcess } from './utility.ts'
