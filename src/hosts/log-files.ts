import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The most that one start hands over: each is imported, and a whole folder of them is a mistake. */
export const mostFiles = 20

/** What an event log is called: our own extension, and the formats that can be imported. */
const logName = /\.(tabscope|ndjson|har)(\.gz)?$/i

/** `file:`, `https:` and the like. One letter is a drive of Windows. */
const address = /^[a-z][a-z\d+.-]+:/i

/**
 * The event logs among words that the system, the user or another start handed over, as absolute paths. All else is left out: the folder
 * of the app and the switches of Chromium come in the same list, and an address is nobody's file, but for that of a file on this machine:
 * so desktops of Linux hand over what was double-clicked.
 */
export function logFilesOf(words: readonly string[], cwd: string): string[] {
  return words
    .filter((word) => word.length <= 4000)
    .map((word) => (address.test(word) ? localFileOf(word) : word))
    .filter((word) => word !== null)
    .filter((word) => logName.test(word) && !word.includes('\0'))
    .slice(0, mostFiles)
    .map((word) => path.resolve(cwd, word))
}

/** The path that a `file:` address names (RFC 8089); null when it is another address, or that of another machine. */
function localFileOf(word: string): string | null {
  const url = URL.parse(word)
  if (url?.protocol !== 'file:') return null
  // Windows would ask the named machine, and tell it who the user is. More than one slash names a machine there as well.
  if (url.host !== '' || /^(\/|%5c|%2f){2}/i.test(url.pathname)) return null
  // A file's name may hold these, but then they are encoded: as they stand they are no part of it.
  if (url.search !== '' || url.hash !== '') return null
  try {
    return fileURLToPath(url)
  } catch {
    return null
  }
}
