import path from 'node:path'

/** The most that one start hands over: each is imported, and a whole folder of them is a mistake. */
export const mostFiles = 20

/** What an event log is called: our own extension, and the formats that can be imported. */
const logName = /\.(tabscope|ndjson|har)(\.gz)?$/i

/** `file:`, `https:` and the like. One letter is a drive of Windows. */
const address = /^[a-z][a-z\d+.-]+:/i

/**
 * The event logs among words that the system, the user or another start handed over, as absolute paths. All else is left out: the folder
 * of the app and the switches of Chromium come in the same list, and an address is nobody's file.
 */
export function logFilesOf(words: readonly string[], cwd: string): string[] {
  return words
    .filter((word) => word.length <= 4000 && !word.includes('\0'))
    .filter((word) => logName.test(word) && !address.test(word))
    .slice(0, mostFiles)
    .map((word) => path.resolve(cwd, word))
}
