import { release } from 'node:os'
import type { SystemFacts } from './engine-messages.ts'
import { firstUpdateState } from './updates/updates.ts'

/** What this Electron is, before updates were asked for. `logFile` is an absolute path. */
export function systemFacts(logFile: string): SystemFacts {
  const { versions } = process
  return {
    versions: [
      { name: 'Electron', version: versions.electron },
      { name: 'Chromium', version: versions.chrome },
      { name: 'Node', version: versions.node },
      { name: 'V8', version: versions.v8 },
      { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
    ],
    logFile,
    update: firstUpdateState(),
  }
}
